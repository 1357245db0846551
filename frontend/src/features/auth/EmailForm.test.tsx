import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { currentPlayer, currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { EmailForm } from "./EmailForm";

vi.mock("./captcha", () => ({ solveCaptcha: async () => "solved" }));

const done = vi.fn();
beforeEach(() => {
  done.mockReset();
  vi.spyOn(toast, "success").mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

const challenge = {
  parameters: {
    algorithm: "PBKDF2/SHA-256",
    nonce: "00",
    salt: "00",
    cost: 1,
    keyLength: 32,
    keyPrefix: "00",
  },
  signature: "s",
};

test("the password appears only once the email is valid", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signIn" onDone={done} />);
  expect(screen.queryByLabelText("Password")).toBeNull();
  await user.type(screen.getByLabelText("Email"), "wanjiru@example");
  expect(screen.queryByLabelText("Password")).toBeNull();
  await user.type(screen.getByLabelText("Email"), ".com");
  expect(screen.getByLabelText("Password")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an email is required, and has to look like one", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signIn" onDone={done} />);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Required")).toBeVisible();
  await user.type(screen.getByLabelText("Email"), "nobody");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Invalid email address")).toBeVisible();
});

test("a sign-up asks for six characters and sends the solved captcha", async () => {
  const user = userEvent.setup();
  const seen = stubGateway({
    "GET /auth/captcha": () => ({ statusCode: 200, payload: challenge }),
    "POST /auth/sign-up": () => ({ statusCode: 201, payload: { ...aSession(), isNewUser: true } }),
    "GET /auth/login": () => ({
      statusCode: 201,
      payload: aPlayer({ name: null }),
      statusMessage: "You have been logged in.",
    }),
  });
  renderPage(<EmailForm mode="signUp" onDone={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com");
  await user.type(screen.getByLabelText("Password"), "short");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Password should be at least 6 characters.")).toBeVisible();
  expect(seen).toHaveLength(0);

  await user.type(screen.getByLabelText("Password"), "er");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(seen[1]?.body).toEqual({ email: "wanjiru@example.com", password: "shorter", captcha: "solved" });
  expect(currentSession()?.accessToken).toBe("access-1");
  expect(currentPlayer()?.uid).toBe("p1");
  expect(toast.success).toHaveBeenCalledWith("You have been logged in.");
});

test("a sign-in that cannot fetch the profile leaves nobody half signed in", async () => {
  const user = userEvent.setup();
  stubGateway({
    "POST /auth/sign-in": () => ({ statusCode: 200, payload: aSession() }),
    "GET /auth/login": () => ({ statusCode: 503, payload: { code: "UNAVAILABLE" } }),
  });
  renderPage(<EmailForm mode="signIn" onDone={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com");
  await user.type(screen.getByLabelText("Password"), "kiondo");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await vi.waitFor(() =>
    expect(screen.getByRole("button", { name: "Continue" })).not.toHaveAttribute("aria-busy"),
  );
  expect(currentSession()).toBeNull();
  expect(done).not.toHaveBeenCalled();
});
