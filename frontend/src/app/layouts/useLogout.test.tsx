import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { switchPushOn } from "@/features/push/subscription";
import * as navigation from "@/lib/navigation";
import { currentSession, markOnboarded, savePlayer, saveSession } from "@/lib/session/session";
import { showQueuedToast, toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { stubPush, unstubPush } from "@/test/push";
import { SIGN_OUT_TIMEOUT_MS, useLogout, useSignOutEverywhere } from "./useLogout";

const hardNavigate = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  hardNavigate.mockReset();
  vi.spyOn(navigation, "hardNavigate").mockImplementation(hardNavigate);
  saveSession(aSession());
  savePlayer(aPlayer());
  markOnboarded();
  localStorage.setItem("language", "sw");
  localStorage.setItem("utm_source", "JUMA77");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function press(useMutationHook: typeof useLogout) {
  const client = new QueryClient();
  const { result } = renderHook(() => useMutationHook(), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => result.current.mutate());
}

/** The kind and text of the toast after the reload. */
function toastAfterReload(): readonly [kind: string, message: string] | null {
  const shown: [string, string][] = [];
  vi.spyOn(toast, "error").mockImplementation((message) => void shown.push(["error", message]));
  vi.spyOn(toast, "success").mockImplementation((message) => void shown.push(["success", message]));
  showQueuedToast();
  expect(shown.length).toBeLessThan(2);
  return shown[0] ?? null;
}

const OFFLINE = "We could not reach PlayOn. Check your connection and try again.";
const LATE = "PlayOn took too long to reply. Check your connection and try again.";

test.each([
  ["confirms the sign-out", () => ({ statusCode: 200 }), 0, null],
  ["no longer knows the session", () => ({ statusCode: 401, payload: { code: "SESSION_REVOKED" } }), 0, null],
  ["is unavailable", () => ({ statusCode: 503, statusMessage: "Not now.", payload: {} }), 0, "Not now."],
  ["cannot be reached", () => new TypeError("Failed to fetch"), 0, OFFLINE],
  ["does not reply", () => new Promise<never>(() => {}), SIGN_OUT_TIMEOUT_MS, LATE],
])("logout clears the phone when the server %s", async (_how, answer, after, reason) => {
  const seen = stubGateway({ "POST /auth/sign-out": answer, "POST /auth/refresh": answer });
  press(useLogout);
  await eventually(async () => {
    await act(() => vi.advanceTimersByTimeAsync(after));
    expect(hardNavigate).toHaveBeenCalledExactlyOnceWith("/login");
  });
  expect(seen[0]?.body).toEqual({ refreshToken: "refresh-1" });
  expect(currentSession()).toBeNull();
  const unconfirmed = "You are signed out on this phone, but PlayOn could not confirm it:";
  expect(toastAfterReload()).toEqual(reason === null ? null : ["error", `${unconfirmed} ${reason}`]);
  expect(sessionStorage).toHaveLength(0);
  expect({ ...localStorage }).toEqual({ onboarded: "1", language: "sw" });
});

test("signing out everywhere clears this phone too and shows the server's message", async () => {
  const seen = stubGateway({
    "POST /auth/sign-out-everywhere": () => ({
      statusCode: 200,
      statusMessage: "You have been signed out everywhere.",
    }),
  });
  press(useSignOutEverywhere);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(seen[0]?.headers.get("authorization")).toBe("Bearer access-1");
  expect(hardNavigate).toHaveBeenCalledExactlyOnceWith("/login");
  expect(toastAfterReload()).toEqual(["success", "You have been signed out everywhere."]);
  expect(sessionStorage).toHaveLength(0);
});

describe("this phone's push subscription", () => {
  const REMOVE = "POST /profile/device-token/remove";
  const TOKEN = "POST /profile/device-token";
  const EVERYWHERE = "POST /auth/sign-out-everywhere";
  const others = {
    "GET /profile/push-key": () => ({ statusCode: 200, payload: { publicKey: "BAEC" } }),
    [TOKEN]: () => ({ statusCode: 200 }),
    [REMOVE]: () => ({ statusCode: 200 }),
  };
  const paths = (seen: ReturnType<typeof stubGateway>) => seen.map(({ method, path }) => `${method} ${path}`);

  async function subscribed() {
    const push = stubPush();
    stubGateway(others);
    await switchPushOn();
    return push;
  }
  afterEach(unstubPush);

  test("ends before every session does", async () => {
    const push = await subscribed();
    const seen = stubGateway({ ...others, [EVERYWHERE]: () => ({ statusCode: 200 }) });
    press(useSignOutEverywhere);
    await eventually(() => expect(hardNavigate).toHaveBeenCalledOnce());
    expect(paths(seen)).toEqual([REMOVE, EVERYWHERE]);
    expect(push.subscription()).toBeNull();
  });

  test("is made again when the server refuses to end the sessions", async () => {
    const push = await subscribed();
    stubGateway({ ...others, [EVERYWHERE]: () => ({ statusCode: 403, payload: { code: "FORBIDDEN" } }) });
    press(useSignOutEverywhere);
    await eventually(() => expect(localStorage.getItem("fcmToken")).not.toBeNull());
    expect(push.subscription()).not.toBeNull();
    expect(currentSession()?.uid).toBe("p1");
  });
});

test("signing out everywhere keeps the session when the server cannot be reached", async () => {
  stubGateway({ "POST /auth/sign-out-everywhere": () => new TypeError("Failed to fetch") });
  press(useSignOutEverywhere);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(hardNavigate).not.toHaveBeenCalled();
  expect(currentSession()?.uid).toBe("p1");
});
