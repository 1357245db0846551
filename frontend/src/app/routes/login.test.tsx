import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { RouteObject } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { renderRoutes } from "@/test/render";
import {
  aChallenge,
  challengeOf,
  everyProvider,
  profileOfPlayer,
  signedIn,
  stubCaptchaSolver,
} from "@/test/signIn";
import { Component as Login } from "./login";

const PHONE = "0712 345 678";
const SENT = "A confirmation code was sent to your phone number. Please enter it below.";

let challenges: number;
let codes: number;

function sentCode() {
  codes += 1;
  return {
    statusCode: 200,
    statusMessage: SENT,
    payload: {
      challengeId: `challenge-${codes}`,
      digits: 6,
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      resendAt: new Date(Date.now() + 60_000).toISOString(),
    },
  };
}

const gateway = {
  "GET /auth/providers": () => ({ statusCode: 200, payload: everyProvider }),
  "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge(`0${++challenges}`) }),
  "POST /auth/phone/start": sentCode,
  "POST /auth/phone/verify": signedIn(),
  "GET /auth/login": profileOfPlayer,
};

beforeEach(() => {
  challenges = 0;
  codes = 0;
  stubCaptchaSolver();
  for (const kind of ["success", "info", "error"] as const)
    vi.spyOn(toast, kind).mockImplementation(() => {});
});
afterEach(() => vi.useRealTimers());

function openLogin(address = "/login", elsewhere: RouteObject = { path: "*", element: null }) {
  const user = userEvent.setup(vi.isFakeTimers() ? { advanceTimers: vi.advanceTimersByTime.bind(vi) } : {});
  const router = renderRoutes([{ path: paths.login, element: <Login /> }, elsewhere], [address]);
  return { user, router, here: () => router.state.location };
}

async function askForCode(address?: string, elsewhere?: RouteObject) {
  const page = openLogin(address, elsewhere);
  await page.user.click(await screen.findByRole("button", { name: "PHONE" }));
  await page.user.type(screen.getByLabelText("Phone Number"), PHONE);
  await page.user.click(screen.getByRole("button", { name: "Send code" }));
  const field = await screen.findByLabelText<HTMLInputElement>("Confirmation code");
  // An effect sets the focus, a moment after the field has rendered.
  await eventually(() => expect(field).toHaveFocus());
  return { ...page, field };
}

test("the page is titled Login & Register, and its back button leads to the root", async () => {
  document.title = "";
  stubGateway(gateway);
  const { user, here } = openLogin();
  expect(document.title).toContain("Login & Register");
  await user.click(screen.getByRole("button", { name: "Back" }));
  await eventually(() => expect(here().pathname).toBe(paths.home));
});

test("Sign up shows the form of a new account, and Log In leads back", async () => {
  stubGateway(gateway);
  const { user } = openLogin();
  const title = () => screen.getByRole("heading", { level: 1 });
  expect(title()).toHaveTextContent("Welcome back!");
  expect(screen.getByText("New to PlayOn?")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Sign up" }));
  expect(title()).toHaveTextContent("Create account");
  expect(screen.getByText("Already have an account?")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Sign up" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Log In" }));
  expect(title()).toHaveTextContent("Welcome back!");
});

describe("the phone mode", () => {
  test("asks for a number and a captcha, and returns to the email form", async () => {
    stubGateway(gateway);
    const { user } = openLogin();
    await user.click(await screen.findByRole("button", { name: "PHONE" }));
    expect(screen.getByLabelText("Phone Number")).toHaveAttribute("placeholder", "+254xxxxxxxx");
    expect(screen.getByLabelText("Phone Number")).toHaveFocus();
    expect(screen.getByRole("group", { name: "Captcha" })).toBeVisible();
    expect(screen.queryByLabelText("Email")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Use Email and password to login" }));
    expect(await screen.findByLabelText("Email")).toBeVisible();
    expect(screen.queryByLabelText("Phone Number")).toBeNull();
  });

  test("is closed by the phone's back gesture", async () => {
    stubGateway(gateway);
    const { user, router } = openLogin();
    await user.click(await screen.findByRole("button", { name: "PHONE" }));
    await act(() => router.navigate(-1));
    expect(await screen.findByLabelText("Email")).toBeVisible();
  });

  test("sends a code with the solved captcha, signs in with it and opens the requested page", async () => {
    const seen = stubGateway(gateway);
    const { user, field, here } = await askForCode("/login?from=%2Faccount%2Fwallet");
    expect(toast.success).toHaveBeenCalledWith(SENT);
    const asked = seen.find(({ path }) => path === "/auth/phone/start")?.body;
    expect(asked).toMatchObject({ phone: PHONE });
    expect(challengeOf(asked)).toBe("01");
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute("inputmode", "numeric");
    expect(field).toHaveAttribute("autocomplete", "one-time-code");
    await user.type(field, "123456");
    await eventually(() => expect(here().pathname).toBe("/account/wallet"));
    expect(seen.find(({ path }) => path === "/auth/phone/verify")?.body).toEqual({
      challengeId: "challenge-1",
      code: "123456",
    });
    expect(toast.success).toHaveBeenCalledWith("You have been logged in.");
    expect(currentSession()?.uid).toBe("p1");
  });

  test("submits a code once, however long the next screen takes to load", async () => {
    const seen = stubGateway(gateway);
    const { user, field, here } = await askForCode("/login", {
      path: "*",
      lazy: () => new Promise(() => {}),
    });
    await user.type(field, "123456");
    await eventually(() => expect(toast.success).toHaveBeenCalledWith("You have been logged in."));
    await user.click(screen.getByRole("button", { name: "Confirm" }));
    expect(here().pathname).toBe("/login");
    expect(screen.getByRole("button", { name: "Confirm" })).toHaveAttribute("aria-busy", "true");
    expect(seen.filter(({ path }) => path === "/auth/phone/verify")).toHaveLength(1);
  });

  test.each(["123456", "123 456", " 12-34-56 ", "1234567"])("accepts the pasted code %o", async (pasted) => {
    const seen = stubGateway(gateway);
    const { user, here } = await askForCode();
    await user.paste(pasted);
    await eventually(() => expect(here().pathname).toBe("/dashboard"));
    expect(seen.find(({ path }) => path === "/auth/phone/verify")?.body).toMatchObject({ code: "123456" });
  });

  test("does not send a code that is too short", async () => {
    const seen = stubGateway(gateway);
    const { user, field } = await askForCode();
    await user.type(field, "123{Enter}");
    expect(await screen.findByText("The code has 6 digits.")).toBeVisible();
    expect(seen.some(({ path }) => path === "/auth/phone/verify")).toBe(false);
  });

  test("takes as many digits as the server says", async () => {
    const long = () => ({ ...sentCode(), payload: { ...sentCode().payload, digits: 9 } });
    const seen = stubGateway({ ...gateway, "POST /auth/phone/start": long });
    const { user, field, here } = await askForCode();
    await user.type(field, "123456");
    expect(seen.some(({ path }) => path === "/auth/phone/verify")).toBe(false);
    await user.type(field, "789");
    await eventually(() => expect(here().pathname).toBe("/dashboard"));
    expect(seen.find(({ path }) => path === "/auth/phone/verify")?.body).toMatchObject({ code: "123456789" });
  });

  test("keeps the focus after a wrong code, and typing replaces it", async () => {
    const answers = [
      { statusCode: 401, statusMessage: "That code is not right.", payload: { code: "BAD_CODE" } },
      signedIn()(),
    ];
    const seen = stubGateway({ ...gateway, "POST /auth/phone/verify": () => answers.shift() ?? sentCode() });
    const { user, field, here } = await askForCode();
    await user.type(field, "111111");
    expect(await screen.findByText("That code is not right.")).toBeVisible();
    expect(field).toHaveFocus();
    expect(field).toHaveValue("111111");
    await user.keyboard("222222");
    await eventually(() => expect(here().pathname).toBe("/dashboard"));
    const tries = seen.filter(({ path }) => path === "/auth/phone/verify");
    expect(tries.map(({ body }) => body)).toMatchObject([{ code: "111111" }, { code: "222222" }]);
  });

  test("keeps the code when the connection is lost", async () => {
    stubGateway({ ...gateway, "POST /auth/phone/verify": () => new TypeError("Failed to fetch") });
    const { user, field } = await askForCode();
    await user.type(field, "111111");
    // One of them says that the code is being checked, the other whether signing in is possible at all.
    await eventually(() => {
      for (const status of screen.getAllByRole("status")) expect(status).toBeEmptyDOMElement();
    });
    expect(field).toHaveValue("111111");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByRole("button", { name: "Confirm" })).toBeEnabled();
  });

  test("shows the code entry again after the page was killed and reloaded", async () => {
    const seen = stubGateway(gateway);
    const { router } = await askForCode();
    const { state } = router.state.location;
    document.body.replaceChildren();
    renderRoutes([{ path: paths.login, element: <Login /> }], [{ pathname: "/login", state }]);
    expect(await screen.findByLabelText("Confirmation code")).toBeVisible();
    expect(screen.getByText("We sent it to +254 712 345 678.")).toBeVisible();
    expect(seen.filter(({ path }) => path === "/auth/phone/start")).toHaveLength(1);
  });

  test("goes back to the number to correct it", async () => {
    stubGateway(gateway);
    const { user } = await askForCode();
    await user.click(screen.getByRole("button", { name: "Change number" }));
    expect(screen.getByLabelText("Phone Number")).toHaveValue(PHONE);
    await user.click(screen.getByRole("button", { name: "Use Email and password to login" }));
    expect(await screen.findByLabelText("Email")).toBeVisible();
  });

  test("shows a refused number's error at the field, and resets the captcha", async () => {
    const message = "Enter a Kenyan mobile number.";
    const seen = stubGateway({
      ...gateway,
      "POST /auth/phone/start": () => ({
        statusCode: 400,
        statusMessage: message,
        payload: { code: "INVALID_ARGUMENT", fields: { phone: message } },
      }),
    });
    const { user } = openLogin();
    await user.click(await screen.findByRole("button", { name: "PHONE" }));
    await user.type(screen.getByLabelText("Phone Number"), "12");
    await user.click(screen.getByRole("checkbox", { name: "I am not a robot" }));
    await user.click(screen.getByRole("button", { name: "Send code" }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(toast.error).toHaveBeenCalledWith(message);
    expect(screen.getByRole("checkbox", { name: "I am not a robot" })).not.toBeChecked();
    await user.click(screen.getByRole("button", { name: "Send code" }));
    await eventually(() => expect(seen.filter(({ method }) => method === "POST")).toHaveLength(2));
    const proofs = seen.filter(({ method }) => method === "POST").map(({ body }) => challengeOf(body));
    expect(proofs).toEqual(["01", "02"]);
  });

  test("shows that the server found the captcha expired", async () => {
    const message = "CAPTCHA has expired. Please solve it again.";
    stubGateway({
      ...gateway,
      "POST /auth/phone/start": () => ({
        statusCode: 400,
        statusMessage: message,
        payload: { code: "CAPTCHA_EXPIRED" },
      }),
    });
    const { user } = openLogin();
    await user.click(await screen.findByRole("button", { name: "PHONE" }));
    await user.type(screen.getByLabelText("Phone Number"), PHONE);
    await user.click(screen.getByRole("button", { name: "Send code" }));
    expect(await within(screen.getByRole("group", { name: "Captcha" })).findByText(message)).toBeVisible();
    expect(screen.getByRole("button", { name: "Solve again" })).toBeVisible();
  });

  test("shows nothing to a player who went back before the code was sent", async () => {
    let answer: (reply: ReturnType<typeof sentCode>) => void = () => {};
    stubGateway({ ...gateway, "POST /auth/phone/start": () => new Promise((resolve) => (answer = resolve)) });
    const { user } = openLogin();
    await user.click(await screen.findByRole("button", { name: "PHONE" }));
    await user.type(screen.getByLabelText("Phone Number"), PHONE);
    await user.click(screen.getByRole("button", { name: "Send code" }));
    await user.click(screen.getByRole("button", { name: "Use Email and password to login" }));
    await screen.findByLabelText("Email");
    await act(async () => answer(sentCode()));
    expect(screen.getByLabelText("Email")).toBeVisible();
    expect(toast.success).not.toHaveBeenCalled();
  });
});

describe("a player who leaves while a captcha is being solved", () => {
  const started = (seen: { path: string }[]) => seen.filter(({ path }) => path === "/auth/phone/start");

  test("is not sent a code", async () => {
    let arrive = () => {};
    const seen = stubGateway({
      ...gateway,
      "GET /auth/captcha": () =>
        new Promise((resolve) => {
          arrive = () => resolve(gateway["GET /auth/captcha"]());
        }),
    });
    const { user } = openLogin();
    await user.click(await screen.findByRole("button", { name: "PHONE" }));
    await user.type(screen.getByLabelText("Phone Number"), PHONE);
    await user.click(screen.getByRole("button", { name: "Send code" }));
    await user.click(screen.getByRole("button", { name: "Use Email and password to login" }));
    await screen.findByLabelText("Email");
    await act(async () => arrive());
    expect(started(seen)).toHaveLength(0);
    expect(toast.error).not.toHaveBeenCalled();
  });

  test("is not sent another code", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const seen = stubGateway(gateway);
    const { user } = await askForCode();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    const { given, solve } = stubCaptchaSolver({ paused: true });
    await user.click(screen.getByRole("button", { name: "Send another code" }));
    await eventually(() => expect(given).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Use Email and password to login" }));
    await screen.findByLabelText("Email");
    await act(async () => solve());
    expect(started(seen)).toHaveLength(1);
    expect(toast.error).not.toHaveBeenCalled();
  });
});

describe("another code", () => {
  const minutes = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 60_000));

  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

  test("can be requested after the server's delay, with another captcha", async () => {
    const seen = stubGateway(gateway);
    const { user } = await askForCode();
    expect(screen.getByText(/^No SMS yet\? You can ask for another code in (1:00|0:5\d)$/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Send another code" })).toBeNull();
    await minutes(1);
    await user.click(screen.getByRole("button", { name: "Send another code" }));
    await eventually(() => expect(seen.filter(({ path }) => path === "/auth/phone/start")).toHaveLength(2));
    const asked = seen.filter(({ path }) => path === "/auth/phone/start").map(({ body }) => body);
    expect(asked).toMatchObject([{ phone: PHONE }, { phone: PHONE }]);
    expect(asked.map(challengeOf)).toEqual(["01", "02"]);
    expect(await screen.findByText(/^No SMS yet/)).toBeVisible();
    await user.type(screen.getByLabelText("Confirmation code"), "123456");
    await eventually(() =>
      expect(seen.find(({ path }) => path === "/auth/phone/verify")?.body).toMatchObject({
        challengeId: "challenge-2",
      }),
    );
  });

  test("is offered when the code has expired", async () => {
    stubGateway(gateway);
    const { user } = await askForCode();
    await minutes(5);
    expect(screen.getByText("That code has expired. Ask for another one.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Confirm" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Send another code" }));
    expect(await screen.findByRole("button", { name: "Confirm" })).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("is offered after too many wrong codes, with that reason", async () => {
    let tries = 0;
    stubGateway({
      ...gateway,
      "POST /auth/phone/verify": () =>
        ++tries > 5
          ? { statusCode: 410, payload: { code: "CODE_EXPIRED" } }
          : { statusCode: 401, statusMessage: "That code is not right.", payload: { code: "BAD_CODE" } },
    });
    const { user, field } = await askForCode();
    for (let code = 111111; code <= 666666; code += 111111) {
      await user.clear(field);
      await user.type(field, String(code));
      await eventually(() => expect(tries).toBe(code / 111111));
    }
    expect(await screen.findByText("Too many wrong codes. Ask for another one.")).toBeVisible();
  });

  test("is offered when the server says that the code has expired", async () => {
    stubGateway({
      ...gateway,
      "POST /auth/phone/verify": () => ({ statusCode: 410, payload: { code: "CODE_EXPIRED" } }),
    });
    const { user, field } = await askForCode();
    await user.type(field, "111111");
    expect(await screen.findByText("That code has expired. Ask for another one.")).toBeVisible();
    expect(field).toHaveValue("");
    await minutes(1);
    expect(screen.getByRole("button", { name: "Send another code" })).toBeVisible();
  });

  test("that is refused shows the reason", async () => {
    let calls = 0;
    stubGateway({
      ...gateway,
      "POST /auth/phone/start": () =>
        ++calls === 1
          ? sentCode()
          : { statusCode: 429, statusMessage: "Try again in 2 minutes.", payload: { code: "RATE_LIMITED" } },
    });
    const { user } = await askForCode();
    await minutes(1);
    await user.click(screen.getByRole("button", { name: "Send another code" }));
    await eventually(() => expect(toast.error).toHaveBeenCalledWith("Try again in 2 minutes."));
  });
});

describe("a browser that reads SMS codes", () => {
  /** Stubs WebOTP: records the requests, and delivers an SMS code on demand. */
  function readingBrowser() {
    const asked: CredentialRequestOptions[] = [];
    let arrive: (code: string) => void = () => {};
    vi.stubGlobal("OTPCredential", class {});
    Object.defineProperty(navigator, "credentials", {
      configurable: true,
      value: {
        get: (options: CredentialRequestOptions) => {
          asked.push(options);
          return new Promise((resolve, reject) => {
            arrive = (code) => resolve({ type: "otp", code });
            options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
          });
        },
      },
    });
    return { asked, arrive: (code: string) => arrive(code) };
  }
  afterEach(() => void Reflect.deleteProperty(navigator, "credentials"));

  test("signs in with the code of the SMS", async () => {
    const seen = stubGateway(gateway);
    const sms = readingBrowser();
    const { here } = await askForCode();
    expect(sms.asked).toMatchObject([{ otp: { transport: ["sms"] } }]);
    await act(async () => sms.arrive("654321"));
    await eventually(() => expect(here().pathname).toBe("/dashboard"));
    expect(seen.find(({ path }) => path === "/auth/phone/verify")?.body).toMatchObject({ code: "654321" });
  });

  test("stops reading when the player leaves", async () => {
    stubGateway(gateway);
    const sms = readingBrowser();
    const { user } = await askForCode();
    expect(sms.asked[0]?.signal?.aborted).toBe(false);
    await user.click(screen.getByRole("button", { name: "Use Email and password to login" }));
    await screen.findByLabelText("Email");
    expect(sms.asked[0]?.signal?.aborted).toBe(true);
  });
});

test("the first sign-in of an account opens the referral step", async () => {
  stubGateway({ ...gateway, "POST /auth/phone/verify": signedIn(true) });
  const { user, field, here } = await askForCode();
  await user.type(field, "123456");
  await eventually(() => expect(here().pathname).toBe("/referral"));
});
