import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as navigation from "@/lib/navigation";
import { currentSession, markOnboarded, savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { GOODBYE_MS, useLogout } from "./useLogout";

const leaveFor = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  leaveFor.mockReset();
  vi.spyOn(navigation, "leaveFor").mockImplementation(leaveFor);
  saveSession(aSession());
  savePlayer(aPlayer());
  markOnboarded();
  localStorage.setItem("intent", "{}");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function logOut() {
  const client = new QueryClient();
  const { result } = renderHook(() => useLogout(), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => result.current.mutate());
}

test.each([
  ["says goodbye", () => ({ statusCode: 200 }), 0],
  ["no longer knows the session", () => ({ statusCode: 401, payload: { code: "SESSION_REVOKED" } }), 0],
  ["is in trouble", () => ({ statusCode: 503, payload: { code: "UNAVAILABLE" } }), 0],
  ["cannot be reached", () => new TypeError("Failed to fetch"), 0],
  ["does not answer", () => new Promise<never>(() => {}), GOODBYE_MS],
])("a player who leaves is gone from the phone when the server %s", async (_how, answer, after) => {
  const seen = stubGateway({ "POST /auth/sign-out": answer, "POST /auth/refresh": answer });
  logOut();
  await act(() => vi.advanceTimersByTimeAsync(after));
  expect(seen[0]?.body).toEqual({ refreshToken: "refresh-1" });
  expect(leaveFor).toHaveBeenCalledExactlyOnceWith("/login");
  expect(currentSession()).toBeNull();
  expect(sessionStorage).toHaveLength(0);
  expect(Object.keys(localStorage)).toEqual(["onboarded"]);
});
