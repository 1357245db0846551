import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { QueryProvider } from "@/app/layouts/DataLayout";
import { paths } from "@/app/paths";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as ChangePassword } from "./change-password";
import { Component as ResetPassword } from "./reset-password";

const OLD = "kiondo-na-ajua";
const NEW = "duma-mbio";
const UPDATED = "Password has been updated successfully.";
const MAILED = "Password reset email has been sent successfully.";
const mailed = () => ({ statusCode: 200, statusMessage: MAILED });

beforeEach(() => {
  for (const kind of ["success", "error"] as const) vi.spyOn(toast, kind).mockImplementation(() => {});
});

const field = (label: string) => screen.getByLabelText(label, { exact: true });

describe("changing a password", () => {
  beforeEach(() => {
    saveSession(aSession());
    savePlayer(aPlayer());
  });

  function openScreen() {
    const user = userEvent.setup();
    const router = renderRoutes(
      [
        {
          path: paths.changePassword,
          element: (
            <QueryProvider>
              <ChangePassword />
            </QueryProvider>
          ),
        },
        { path: "*", element: "another screen" },
      ],
      [paths.account, paths.changePassword],
    );
    return { user, here: () => router.state.location };
  }

  async function fill(user: ReturnType<typeof userEvent.setup>, again = NEW) {
    await user.type(field("Old password"), OLD);
    await user.type(field("New password"), NEW);
    await user.type(field("Confirm password"), again);
  }

  const send = (user: ReturnType<typeof userEvent.setup>) =>
    user.click(screen.getByRole("button", { name: "Send" }));

  test("sends email, old and new password, and returns to the previous screen", async () => {
    const seen = stubGateway({ "PUT /auth/password": () => ({ statusCode: 200, statusMessage: UPDATED }) });
    const { user, here } = openScreen();
    expect(field("Email")).toHaveValue("wanjiru@example.com");
    await fill(user);
    await send(user);
    await eventually(() => expect(here().pathname).toBe("/account"));
    expect(seen[0]?.body).toEqual({ email: "wanjiru@example.com", oldPassword: OLD, newPassword: NEW });
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer access-1");
    expect(toast.success).toHaveBeenCalledExactlyOnceWith(UPDATED);
    expect(currentSession()?.refreshToken).toBe("refresh-1");
  });

  test.each([
    ["REAUTH_FAILED", 401, "Could not re-authenticate you. If this error persists, …"],
    ["NO_PASSWORD_LOGIN", 422, "Your sign-in method does not allow you to change your password. …"],
  ])(
    "that is refused with %s shows the server's message and keeps the session",
    async (code, status, text) => {
      const seen = stubGateway({
        "PUT /auth/password": () => ({ statusCode: status, statusMessage: text, payload: { code } }),
      });
      const { user, here } = openScreen();
      await fill(user);
      await send(user);
      await eventually(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(text));
      expect(seen).toHaveLength(1);
      expect(here().pathname).toBe(paths.changePassword);
      expect(field("Old password")).toHaveValue(OLD);
      expect(currentSession()?.uid).toBe("p1");
    },
  );

  test("requires an email", async () => {
    const seen = stubGateway({});
    const { user } = openScreen();
    await user.clear(field("Email"));
    await fill(user);
    await send(user);
    expect(await screen.findByText("Please enter your email")).toBeVisible();
    expect(seen).toHaveLength(0);
  });

  test("requires a long enough new password and an equal confirmation", async () => {
    const seen = stubGateway({});
    const { user } = openScreen();
    await send(user);
    expect(await screen.findAllByText("Please enter your password")).toHaveLength(2);
    expect(screen.getByText("Please enter the new password again")).toBeVisible();
    await user.type(field("New password"), "short");
    expect(await screen.findByText("Password should be at least 6 characters.")).toBeVisible();
    await user.type(field("Confirm password"), "another");
    expect(await screen.findByText("The two passwords are not the same")).toBeVisible();
    await user.clear(field("Confirm password"));
    await user.type(field("Confirm password"), "short");
    await eventually(() => expect(screen.queryByText("The two passwords are not the same")).toBeNull());
    expect(seen).toHaveLength(0);
  });

  test("reports a second press while an update is in progress, and sends it once", async () => {
    let finish: (reply: { statusCode: number }) => void = () => {};
    const seen = stubGateway({ "PUT /auth/password": () => new Promise((resolve) => (finish = resolve)) });
    const { user, here } = openScreen();
    await fill(user);
    await send(user);
    await eventually(() => expect(seen).toHaveLength(1));
    await send(user);
    await user.type(field("Confirm password"), "{Enter}");
    expect(toast.error).toHaveBeenCalledWith(
      "Another update operation is currently underway. Kindly wait a few seconds before pressing the button again.",
    );
    await act(async () => finish({ statusCode: 200 }));
    await eventually(() => expect(here().pathname).toBe("/account"));
    expect(seen).toHaveLength(1);
  });

  test("offers a reset mail instead, which needs only the email", async () => {
    const seen = stubGateway({ "POST /auth/password/reset": mailed });
    const { user } = openScreen();
    await user.clear(field("Email"));
    await user.click(screen.getByRole("button", { name: "Reset password instead?" }));
    expect(await screen.findByText("Please enter your email")).toBeVisible();
    expect(seen).toHaveLength(0);
    await user.type(field("Email"), "wanjiru@example.com");
    await user.click(screen.getByRole("button", { name: "Reset password instead?" }));
    await eventually(() => expect(toast.success).toHaveBeenCalledWith(MAILED));
    expect(seen[0]?.body).toEqual({ email: "wanjiru@example.com" });
  });
});

describe("setting a password with a mail's link", () => {
  function openLink(address: string | { pathname: string; state: unknown }) {
    const user = userEvent.setup();
    const router = renderRoutes(
      [
        { path: paths.resetPassword, element: <ResetPassword /> },
        { path: "*", element: null },
      ],
      [address],
    );
    return { user, here: () => router.state.location };
  }

  async function save(user: ReturnType<typeof userEvent.setup>) {
    await user.type(field("New password"), NEW);
    await user.type(field("Confirm password"), NEW);
    await user.click(screen.getByRole("button", { name: "Save password" }));
  }

  test("removes the token from the URL, and ends at the login", async () => {
    // A reset signs the player out on every device, including this one.
    saveSession(aSession());
    const seen = stubGateway({ "POST /auth/password/reset/confirm": () => ({ statusCode: 200 }) });
    const { user, here } = openLink("/reset-password?token=t-1");
    await eventually(() => expect(here().search).toBe(""));
    await save(user);
    await eventually(() => expect(here().pathname).toBe("/login"));
    expect(seen.map(({ body }) => body)).toEqual([{ token: "t-1", newPassword: NEW }]);
    expect(toast.success).toHaveBeenCalledExactlyOnceWith(UPDATED);
    expect(currentSession()).toBeNull();
    expect(here().state).toBeNull();
  });

  test("still has the token after the page was killed and reloaded", async () => {
    const seen = stubGateway({ "POST /auth/password/reset/confirm": () => ({ statusCode: 200 }) });
    const { user } = openLink({ pathname: "/reset-password", state: { token: "t-1" } });
    await save(user);
    await eventually(() => expect(seen[0]?.body).toMatchObject({ token: "t-1" }));
  });

  test.each([
    ["that has expired", "/reset-password?token=t-1", "This link has expired"],
    ["without a token", "/reset-password", "This link is incomplete"],
  ])("with a link %s offers another one", async (_what, address, title) => {
    const seen = stubGateway({
      "POST /auth/password/reset/confirm": () => ({ statusCode: 410, payload: { code: "RESET_EXPIRED" } }),
      "POST /auth/password/reset": mailed,
    });
    const { user } = openLink(address);
    if (address.includes("token")) await save(user);
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.queryByLabelText("New password")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    expect(await screen.findByText("Please enter your email")).toBeVisible();
    await user.type(field("Email"), "wanjiru@example.com");
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    await eventually(() => expect(toast.success).toHaveBeenCalledWith(MAILED));
    expect(seen.at(-1)?.body).toEqual({ email: "wanjiru@example.com" });
  });

  test("keeps the typed password when the connection is lost", async () => {
    stubGateway({ "POST /auth/password/reset/confirm": () => new TypeError("Failed to fetch") });
    const { user, here } = openLink("/reset-password?token=t-1");
    await save(user);
    await eventually(() =>
      expect(screen.getByRole("button", { name: "Save password" })).not.toHaveAttribute("aria-busy"),
    );
    expect(here().pathname).toBe("/reset-password");
    expect(field("New password")).toHaveValue(NEW);
  });
});
