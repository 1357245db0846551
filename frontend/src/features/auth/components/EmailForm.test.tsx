import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Mode } from "@/features/auth/model";
import { currentPlayer, currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { aChallenge, challengeOf, signedIn, stubCaptchaSolver } from "@/test/signIn";
import { EmailForm } from "./EmailForm";

const done = vi.fn();
beforeEach(() => {
  done.mockReset();
  stubCaptchaSolver();
  vi.spyOn(toast, "success").mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

test("the password appears only once the email is valid", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signIn" onSignedIn={done} />);
  expect(screen.queryByLabelText("Password")).toBeNull();
  await user.type(screen.getByLabelText("Email"), "wanjiru@example");
  expect(screen.queryByLabelText("Password")).toBeNull();
  await user.type(screen.getByLabelText("Email"), ".com");
  expect(screen.getByLabelText("Password")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an email is required and must be valid", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signIn" onSignedIn={done} />);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Required")).toBeVisible();
  await user.type(screen.getByLabelText("Email"), "not-an-email");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Invalid email address")).toBeVisible();
});

test("a password is validated once the player has left its field", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signUp" onSignedIn={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com");
  await user.click(screen.getByLabelText("Password"));
  await user.type(screen.getByLabelText("Password"), "abc");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.tab();
  expect(await screen.findByText("Password should be at least 6 characters.")).toBeVisible();
  await user.type(screen.getByLabelText("Password"), "def");
  await eventually(() => expect(screen.queryByRole("alert")).toBeNull());
});

test("a sign-up requires six characters and sends the solved captcha", async () => {
  const user = userEvent.setup();
  const seen = stubGateway({
    "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge() }),
    "POST /auth/sign-up": () => ({ statusCode: 201, payload: { ...aSession(), isNewUser: true } }),
    "GET /auth/login": () => ({
      statusCode: 201,
      payload: aPlayer({ name: null }),
      statusMessage: "You have been logged in.",
    }),
  });
  renderPage(<EmailForm mode="signUp" onSignedIn={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com");
  await user.type(screen.getByLabelText("Password"), "short");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Password should be at least 6 characters.")).toBeVisible();
  expect(seen).toHaveLength(0);

  await user.type(screen.getByLabelText("Password"), "er");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await eventually(() => expect(done).toHaveBeenCalledExactlyOnceWith(true));
  expect(seen[1]?.body).toMatchObject({ email: "wanjiru@example.com", password: "shorter" });
  expect(challengeOf(seen[1]?.body)).toBe("00");
  expect(currentSession()?.accessToken).toBe("access-1");
  expect(currentPlayer()?.uid).toBe("p1");
  expect(toast.success).toHaveBeenCalledWith("You have been logged in.");
});

test("Continue with an email alone leads to the password, and asks for it the next time", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signIn" onSignedIn={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com{Enter}");
  expect(screen.getByLabelText("Password")).toHaveFocus();
  expect(screen.queryByRole("alert")).toBeNull();
  await user.keyboard("{Enter}");
  expect(await screen.findByText("Please enter your password")).toBeVisible();
});

test("a new password is not refused while its first letters are typed", async () => {
  const user = userEvent.setup();
  renderPage(<EmailForm mode="signUp" onSignedIn={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com{Enter}");
  await user.keyboard("kio");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a password that is easy to guess is refused at its field", async () => {
  stubGateway({
    "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge() }),
    "POST /auth/sign-up": () => ({
      statusCode: 400,
      statusMessage: "That password is easy to guess. Please choose another one.",
      payload: { code: "GUESSABLE_PASSWORD" },
    }),
  });
  const error = vi.spyOn(toast, "error");
  await submit("signUp");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "That password is easy to guess. Please choose another one.",
  );
  expect(screen.getByLabelText("Password")).toHaveFocus();
  expect(error).not.toHaveBeenCalled();
});

async function submit(mode: Mode) {
  const user = userEvent.setup();
  renderPage(<EmailForm mode={mode} onSignedIn={done} />);
  await user.type(screen.getByLabelText("Email"), "wanjiru@example.com");
  await user.type(screen.getByLabelText("Password"), "kiondo");
  const again = () => user.click(screen.getByRole("button", { name: "Continue" }));
  await again();
  return again;
}

const idle = () =>
  eventually(() => expect(screen.getByRole("button", { name: "Continue" })).not.toHaveAttribute("aria-busy"));

test.each([
  ["signUp", new TypeError("Failed to fetch")],
  ["signIn", { statusCode: 503, payload: { code: "UNAVAILABLE" } }],
] as const)("a %s whose profile fetch fails still succeeds", async (mode, answer) => {
  stubGateway({
    "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge() }),
    "POST /auth/sign-up": () => ({ statusCode: 201, payload: { ...aSession(), isNewUser: false } }),
    "POST /auth/sign-in": signedIn(),
    "GET /auth/login": () => answer,
  });
  await submit(mode);
  await eventually(() => expect(done).toHaveBeenCalledExactlyOnceWith(false));
  expect(currentSession()?.uid).toBe("p1");
  expect(toast.success).not.toHaveBeenCalled();
});

test("a session that is refused at once leaves the player signed out", async () => {
  stubGateway({
    "POST /auth/sign-in": signedIn(),
    "GET /auth/login": () => ({ statusCode: 401, payload: { code: "SESSION_REVOKED" } }),
  });
  await submit("signIn");
  await idle();
  expect(currentSession()).toBeNull();
  expect(done).not.toHaveBeenCalled();
});

test("a sign-in from an address whose limit is used up gets a device cookie by itself", async () => {
  let attempts = 0;
  const seen = stubGateway({
    "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge() }),
    "POST /auth/device": () => ({ statusCode: 201 }),
    "POST /auth/sign-in": () =>
      attempts++
        ? signedIn()()
        : { statusCode: 429, statusMessage: "Many.", payload: { code: "DEVICE_NEEDED" } },
    "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer() }),
  });
  await submit("signIn");
  await eventually(() => expect(done).toHaveBeenCalled());
  expect(seen.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
    "/auth/sign-in",
    "/auth/device",
    "/auth/sign-in",
  ]);
});

test("a sign-up with a taken email uses up its captcha, so the next attempt solves another", async () => {
  let challenges = 0;
  const seen = stubGateway({
    "GET /auth/captcha": () => ({
      statusCode: 200,
      payload: aChallenge(`0${++challenges}`),
    }),
    "POST /auth/sign-up": () => ({ statusCode: 409, payload: { code: "EMAIL_TAKEN" } }),
  });
  const again = await submit("signUp");
  await idle();
  await again();
  await eventually(() => expect(seen).toHaveLength(4));
  const sent = seen.filter(({ method }) => method === "POST").map(({ body }) => challengeOf(body));
  expect(sent).toEqual(["01", "02"]);
});

describe("a forgotten password", () => {
  async function forget(email: string) {
    const user = userEvent.setup();
    const seen = stubGateway({
      "POST /auth/password/reset": () => ({
        statusCode: 200,
        statusMessage: "Password reset email has been sent successfully.",
      }),
    });
    renderPage(<EmailForm mode="signIn" onSignedIn={done} />);
    if (email) await user.type(screen.getByLabelText("Email"), email);
    await user.click(screen.getByRole("button", { name: "Forgot password?" }));
    return seen;
  }

  test.each([
    ["", "Please enter your email"],
    ["wanjiru@", "Invalid email address"],
  ])("with the email %o asks for a valid one", async (email, message) => {
    const seen = await forget(email);
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText("Email")).toHaveFocus();
    expect(seen).toHaveLength(0);
  });

  test("requests a reset mail and confirms it", async () => {
    const seen = await forget(" wanjiru@example.com ");
    await eventually(() =>
      expect(toast.success).toHaveBeenCalledWith("Password reset email has been sent successfully."),
    );
    expect(seen[0]?.body).toEqual({ email: "wanjiru@example.com" });
  });

  test("requests one mail for two taps in a row, and another one later", async () => {
    const now = vi.spyOn(Date, "now").mockReturnValue(1_000_000);
    const seen = await forget("wanjiru@example.com");
    const user = userEvent.setup();
    const button = screen.getByRole("button", { name: "Forgot password?" });
    await eventually(() => expect(toast.success).toHaveBeenCalled());
    await user.click(button);
    expect(seen).toHaveLength(1);
    now.mockReturnValue(1_006_000);
    await user.click(button);
    await eventually(() => expect(seen).toHaveLength(2));
  });

  test.each(["signIn", "signUp"] as const)("is offered in the mode %s", (mode) => {
    renderPage(<EmailForm mode={mode} onSignedIn={done} />);
    expect(screen.getByRole("button", { name: "Forgot password?" })).toBeVisible();
  });
});
