import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { changeLanguage } from "@/lib/i18n/i18n";
import * as navigation from "@/lib/navigation";
import { currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { renderRoutes } from "@/test/render";
import { everyProvider, profileOfPlayer, signedIn } from "@/test/signIn";
import { Component as Login } from "./login";

const gateway = {
  "GET /auth/providers": () => ({ statusCode: 200, payload: everyProvider }),
  "POST /auth/oauth/exchange": signedIn(),
  "GET /auth/login": profileOfPlayer,
};
const success = { source: "playon-oauth", code: "once-1" };

/** The popup as the page sees it. */
let popup: { closed: boolean; close: () => void };
const open = vi.fn();
const hardNavigate = vi.fn();

/** A BroadcastChannel between the tabs of one browser. */
class Channel {
  static all: Channel[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(readonly name: string) {
    Channel.all.push(this);
  }
  postMessage(data: unknown) {
    for (const other of Channel.all)
      if (other !== this && other.name === this.name) other.onmessage?.({ data: structuredClone(data) });
  }
  close() {
    Channel.all = Channel.all.filter((other) => other !== this);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  popup = { closed: false, close: vi.fn() };
  open.mockReset().mockImplementation(() => popup);
  hardNavigate.mockReset();
  Channel.all = [];
  vi.stubGlobal("open", open);
  vi.stubGlobal("BroadcastChannel", Channel);
  vi.spyOn(navigation, "hardNavigate").mockImplementation(hardNavigate);
  for (const kind of ["success", "info", "error"] as const)
    vi.spyOn(toast, kind).mockImplementation(() => {});
});
afterEach(() => vi.useRealTimers());

function openLogin(address = "/login") {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) });
  const router = renderRoutes(
    [
      { path: paths.login, element: <Login /> },
      { path: "*", element: null },
    ],
    [address],
  );
  return { user, router, here: () => router.state.location, unmount: cleanup };
}

async function press(name: string, address?: string) {
  const page = openLogin(address);
  await page.user.click(screen.getByRole("button", { name: new RegExp(`^${name}`) }));
  return page;
}

/** Sends a message event to the page, by default from the popup. */
const sendMessage = (data: unknown, origin = window.location.origin, source: unknown = popup) => {
  const message = new MessageEvent("message", { data, origin });
  // jsdom accepts only its own windows as a source.
  Object.defineProperty(message, "source", { value: source });
  return act(async () => void window.dispatchEvent(message));
};
async function broadcast(data: unknown) {
  const callbackPage = new Channel("playon-oauth");
  await act(async () => callbackPage.postMessage(data));
  callbackPage.close();
}
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const arrivesAt = (here: () => { pathname: string }, path: string) =>
  eventually(() => expect(here().pathname).toBe(path));

describe("the popup", () => {
  test.each([
    ["GOOGLE", "google", sendMessage],
    ["FACEBOOK", "facebook", broadcast],
  ])(
    "of %s opens in the click handler, and its code signs the player in",
    async (name, provider, deliver) => {
      const seen = stubGateway(gateway);
      const { here } = await press(name, "/login?from=%2Ftournaments");
      expect(open).toHaveBeenCalledExactlyOnceWith(
        `/api/auth/oauth/${provider}/start?language=en`,
        "_blank",
        expect.stringContaining("popup"),
      );
      expect(screen.getByText(/^Continue in the (Google|Facebook) window to sign in\.$/)).toBeVisible();
      await deliver(success);
      await arrivesAt(here, "/tournaments");
      expect(seen.find(({ path }) => path === "/auth/oauth/exchange")?.body).toEqual({ code: "once-1" });
      expect(currentSession()?.uid).toBe("p1");
      expect(toast.success).toHaveBeenCalledWith("You have been logged in.");
      expect(popup.close).toHaveBeenCalledOnce();
      expect(Channel.all).toHaveLength(0);
    },
  );

  test("is opened in the language that was chosen in the app", async () => {
    stubGateway(gateway);
    const { user } = openLogin();
    await changeLanguage("sw");
    await user.click(screen.getByRole("button", { name: /GOOGLE/ }));
    await changeLanguage("en");
    expect(open.mock.calls[0]?.[0]).toBe("/api/auth/oauth/google/start?language=sw");
  });

  test("opens before anything is awaited, even before the providers are known", async () => {
    stubGateway({ ...gateway, "GET /auth/providers": () => new Promise(() => {}) });
    await press("GOOGLE");
    expect(open).toHaveBeenCalledOnce();
  });

  test("whose code arrives both directly and by broadcast is exchanged once", async () => {
    const seen = stubGateway(gateway);
    const { here } = await press("GOOGLE");
    await sendMessage(success);
    await broadcast(success);
    await arrivesAt(here, "/dashboard");
    expect(seen.filter(({ path }) => path === "/auth/oauth/exchange")).toHaveLength(1);
  });

  test("sends a new player to the referral step", async () => {
    stubGateway({ ...gateway, "POST /auth/oauth/exchange": signedIn(true) });
    const { here } = await press("GOOGLE");
    await sendMessage(success);
    await arrivesAt(here, "/referral");
  });

  test.each([
    ["another site", success, "https://evil.test", undefined],
    ["another window", success, undefined, window],
    ["something else", { code: "once-1" }, undefined, undefined],
    ["a message of another kind", "hello", undefined, undefined],
    ["a malformed message", { source: "playon-oauth", code: 7 }, undefined, undefined],
  ])("ignores %s", async (_who, data, origin, source) => {
    const seen = stubGateway(gateway);
    await press("GOOGLE");
    await sendMessage(data, origin, source);
    expect(seen.some(({ path }) => path === "/auth/oauth/exchange")).toBe(false);
    expect(screen.getByText("Continue in the Google window to sign in.")).toBeVisible();
  });

  test.each([
    ["OAUTH_DENIED", "You cancelled the sign-in."],
    ["OAUTH_STATE", "That sign-in did not start in this browser, or took too long. Please try again."],
    ["OAUTH_FAILED", "We could not sign you in with Google. Please try again."],
    ["PROVIDER_OFF", "Google sign-in is switched off for now. Please sign in another way."],
    ["UNAVAILABLE", "Sign-in with Google is not available right now. Please try again later."],
    ["A_NEW_ONE", "What the server says."],
  ])("that ends with %s says: %s", async (code, message) => {
    stubGateway(gateway);
    await press("GOOGLE");
    await sendMessage({ source: "playon-oauth", error: { code, message: "What the server says." } });
    expect(toast.error).toHaveBeenCalledExactlyOnceWith(message);
    expect(screen.queryByText(/window to sign in\.$/)).toBeNull();
    expect(currentSession()).toBeNull();
  });

  test("that appears closed is reported, and its code is accepted for another minute", async () => {
    stubGateway(gateway);
    const { here } = await press("GOOGLE");
    popup.closed = true;
    await wait(500);
    expect(screen.getByText(/^The Google window was closed before you were signed in\./)).toBeVisible();
    await wait(59_000);
    await broadcast(success);
    await arrivesAt(here, "/dashboard");
  });

  test("that stays closed is given up after a minute", async () => {
    const seen = stubGateway(gateway);
    await press("GOOGLE");
    popup.closed = true;
    await wait(61_000);
    expect(screen.queryByText(/window was closed/)).toBeNull();
    expect(toast.error).toHaveBeenCalledWith("That sign-in took too long. Please try again.");
    await broadcast(success);
    expect(seen.some(({ path }) => path === "/auth/oauth/exchange")).toBe(false);
  });

  test("can be cancelled and opened again", async () => {
    stubGateway(gateway);
    const { user, here } = await press("GOOGLE");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByText(/window to sign in\.$/)).toBeNull();
    await user.click(screen.getByRole("button", { name: /^FACEBOOK/ }));
    expect(screen.getByText("Continue in the Facebook window to sign in.")).toBeVisible();
    await sendMessage(success);
    await arrivesAt(here, "/dashboard");
  });

  test.each([
    ["that was started later", () => localStorage.setItem("oauthAttempt", "of-another-tab")],
    ["that claimed the code", () => localStorage.setItem("oauthClaimedAt", String(Date.now()))],
  ])("leaves a broadcast code to another tab %s", async (_which, otherTab) => {
    const seen = stubGateway(gateway);
    await press("GOOGLE");
    otherTab();
    await broadcast(success);
    await wait(1_000);
    expect(seen.some(({ path }) => path === "/auth/oauth/exchange")).toBe(false);
    expect(screen.getByText("Continue in the Google window to sign in.")).toBeVisible();
  });

  test("leaves a broadcast code to the tab that claimed it, even when its own timer runs late", async () => {
    const seen = stubGateway(gateway);
    await press("GOOGLE");
    localStorage.setItem("oauthClaimedAt", String(Date.now()));
    await broadcast(success);
    vi.setSystemTime(Date.now() + 60_000);
    await wait(1_000);
    expect(seen.some(({ path }) => path === "/auth/oauth/exchange")).toBe(false);
  });

  test("whose code has expired can be opened again", async () => {
    stubGateway({
      ...gateway,
      "POST /auth/oauth/exchange": () => ({ statusCode: 410, payload: { code: "OAUTH_EXPIRED" } }),
    });
    const { user, here } = await press("GOOGLE");
    await sendMessage(success);
    await eventually(() => expect(screen.queryByText("Signing you in …")).toBeNull());
    expect(here().pathname).toBe("/login");
    await user.click(screen.getByRole("button", { name: /^GOOGLE/ }));
    expect(open).toHaveBeenCalledTimes(2);
  });
});

describe("an email that another account has", () => {
  const needed = () => ({ statusCode: 422, payload: { code: "EMAIL_CODE_NEEDED" } });
  const mailed = () => ({
    statusCode: 200,
    payload: {
      emailHint: "w•••@example.com",
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
      resendAt: new Date(Date.now() + 60_000).toISOString(),
    },
  });

  test("asks for the code of a mail, and signs in with it", async () => {
    const seen = stubGateway({
      ...gateway,
      "POST /auth/oauth/exchange": needed,
      "POST /auth/oauth/join": mailed,
      "POST /auth/oauth/join/confirm": ({ body }) =>
        (body as { emailCode: string }).emailCode === "123456"
          ? signedIn()()
          : { statusCode: 401, statusMessage: "That code is not right.", payload: { code: "BAD_CODE" } },
    });
    const { user, here } = await press("FACEBOOK");
    await sendMessage(success);
    expect(await screen.findByRole("heading", { name: "Is this your account?" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Send me a code" }));
    expect(await screen.findByText(/six-digit code to w•••@example\.com/)).toBeVisible();
    await user.type(await screen.findByLabelText("Confirmation code"), "000000");
    expect(await screen.findByText("That code is not right.")).toBeVisible();
    await user.clear(screen.getByLabelText("Confirmation code"));
    await user.type(screen.getByLabelText("Confirmation code"), "123456");
    await eventually(() => expect(here().pathname).not.toBe("/login"));
    expect(seen.filter(({ path }) => path.endsWith("/confirm")).at(-1)?.body).toEqual({
      code: "once-1",
      emailCode: "123456",
    });
    expect(currentSession()).not.toBeNull();
  });

  test("stays signed out when the question is closed", async () => {
    const seen = stubGateway({ ...gateway, "POST /auth/oauth/exchange": needed });
    const { user, here } = await press("FACEBOOK");
    await sendMessage(success);
    await user.click(await screen.findByRole("button", { name: "Close" }));
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(here().pathname).toBe("/login");
    expect(seen.some(({ path }) => path === "/auth/oauth/join")).toBe(false);
  });
});

describe("the redirect in this window", () => {
  const start = (provider: string, redirect: string) =>
    `/api/auth/oauth/${provider}/start?${new URLSearchParams({ language: "en", redirect })}`;

  test("replaces a blocked popup, and returns to the requested page", async () => {
    open.mockReturnValue(null);
    stubGateway(gateway);
    await press("GOOGLE", "/login?from=%2Faccount%2Fwallet");
    expect(screen.getByText(/^Your browser blocked the Google window/)).toBeVisible();
    expect(hardNavigate).toHaveBeenCalledExactlyOnceWith(start("google", "/login?from=%2Faccount%2Fwallet"));
  });

  test("is always used by an installed app", async () => {
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(display-mode: standalone)" }));
    stubGateway(gateway);
    await press("FACEBOOK");
    expect(open).not.toHaveBeenCalled();
    expect(screen.getByText("Taking you to Facebook …")).toBeVisible();
    expect(hardNavigate).toHaveBeenCalledExactlyOnceWith(start("facebook", "/login"));
  });

  test("drops a requested page that is too long for the server", async () => {
    open.mockReturnValue(null);
    stubGateway(gateway);
    await press("GOOGLE", `/login?from=%2F${"x".repeat(600)}`);
    expect(hardNavigate).toHaveBeenCalledExactlyOnceWith(start("google", "/login"));
  });

  /** Goes to the provider in this tab, and comes back to `address` after a time. */
  async function comeBack(address: string, { from = "GOOGLE", after = 0 } = {}) {
    open.mockReturnValue(null);
    const there = await press(from);
    there.unmount();
    vi.setSystemTime(Date.now() + after);
    return openLogin(address);
  }

  const exchanged = (seen: ReturnType<typeof stubGateway>) =>
    seen.filter(({ path }) => path === "/auth/oauth/exchange").map(({ body }) => body);

  test("returns with a code, which is read once and removed from the history", async () => {
    const seen = stubGateway({ ...gateway, "POST /auth/oauth/exchange": () => new Promise(() => {}) });
    const { router, here } = await comeBack("/login?from=%2Faccount%2Fwallet#oauth=once-2");
    expect(await screen.findByText("Signing you in …")).toBeVisible();
    expect(here()).toMatchObject({ pathname: "/login", search: "?from=%2Faccount%2Fwallet", hash: "" });
    expect(router.state.historyAction).toBe("REPLACE");
    expect(exchanged(seen)).toEqual([{ code: "once-2" }]);
  });

  test("ends at the requested page", async () => {
    stubGateway(gateway);
    const { here } = await comeBack("/login?from=%2Faccount%2Fwallet#oauth=once-2");
    await arrivesAt(here, "/account/wallet");
    expect(currentSession()?.uid).toBe("p1");
  });

  test.each([
    ["GOOGLE", "OAUTH_DENIED", "You cancelled the sign-in."],
    ["FACEBOOK", "OAUTH_FAILED", "We could not sign you in with Facebook. Please try again."],
    ["GOOGLE", "A_NEW_ONE", "Something happened."],
  ])("that returns from %s with %s shows: %s", async (from, error, message) => {
    stubGateway(gateway);
    const { here } = await comeBack(`/login#oauth_error=${error}`, { from });
    await eventually(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(message));
    expect(here()).toMatchObject({ search: "", hash: "" });
  });

  const NOT_OURS = "That sign-in did not start in this browser, or took too long. Please try again.";

  test("does not accept a code in a link that this tab did not request", async () => {
    const seen = stubGateway(gateway);
    const { here } = openLogin("/login#oauth=of-another-player");
    await eventually(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(NOT_OURS));
    expect(here()).toMatchObject({ pathname: "/login", hash: "" });
    expect(exchanged(seen)).toEqual([]);
    expect(currentSession()).toBeNull();
  });

  test("accepts one code per redirect", async () => {
    const seen = stubGateway({
      ...gateway,
      "POST /auth/oauth/exchange": () => ({ statusCode: 410, payload: { code: "OAUTH_EXPIRED" } }),
    });
    const first = await comeBack("/login#oauth=once-2");
    await eventually(() => expect(exchanged(seen)).toHaveLength(1));
    first.unmount();
    openLogin("/login#oauth=of-another-player");
    await eventually(() => expect(toast.error).toHaveBeenCalledWith(NOT_OURS));
    expect(exchanged(seen)).toEqual([{ code: "once-2" }]);
  });

  test("accepts no code after the server's time limit", async () => {
    const seen = stubGateway(gateway);
    await comeBack("/login#oauth=once-2", { after: 10 * 60_000 });
    await eventually(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(NOT_OURS));
    expect(exchanged(seen)).toEqual([]);
  });

  test("accepts no code after the player came back without one", async () => {
    const seen = stubGateway(gateway);
    open.mockReturnValue(null);
    const { unmount } = await press("GOOGLE");
    const shown = Object.assign(new Event("pageshow"), { persisted: true });
    act(() => void window.dispatchEvent(shown));
    expect(screen.queryByText(/^Your browser blocked/)).toBeNull();
    unmount();
    openLogin("/login#oauth=of-another-player");
    await eventually(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(NOT_OURS));
    expect(exchanged(seen)).toEqual([]);
  });
});

describe("the provider buttons", () => {
  test("of Google says inside another app where it signs in, and opens no window", async () => {
    const agent = vi.spyOn(navigator, "userAgent", "get");
    agent.mockReturnValue("Mozilla/5.0 (Linux; Android 13; wv) Chrome/120.0");
    stubGateway(gateway);
    await press("GOOGLE");
    expect(toast.info).toHaveBeenCalledExactlyOnceWith(
      "Google does not sign in inside another app. Open PlayOn in Chrome or Safari, or sign in another way.",
    );
    expect(open).not.toHaveBeenCalled();
    agent.mockRestore();
  });

  test("mark providers that are switched off, and say so when pressed", async () => {
    stubGateway({
      ...gateway,
      "GET /auth/providers": () => ({
        statusCode: 200,
        payload: { email: true, phone: false, google: true, facebook: false },
      }),
    });
    const { user } = openLogin();
    await user.click(await screen.findByRole("button", { name: "FACEBOOK off" }));
    expect(toast.info).toHaveBeenCalledWith(
      "Facebook sign-in is switched off for now. Please sign in another way.",
    );
    await user.click(screen.getByRole("button", { name: "PHONE off" }));
    expect(toast.info).toHaveBeenCalledWith(
      "Phone sign-in is switched off for now. Please sign in another way.",
    );
    expect(open).not.toHaveBeenCalled();
    expect(screen.getByLabelText("Email")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "GOOGLE" }));
    expect(open).toHaveBeenCalledOnce();
  });
});
