import { describe, expect, test } from "vitest";
import { Fault, OFFLINE, TIMED_OUT } from "@/lib/http/fault";
import { recoveryInterval, retryDelay, shouldRetry } from "@/lib/recovery";

const fault = (status: number, code = "UNAVAILABLE", retryAfterMs?: number) =>
  new Fault("In our words.", { code, status, retryAfterMs });

describe("a read that failed", () => {
  test.each([
    ["a lost connection", fault(0, OFFLINE), true],
    ["a missing part", fault(503, "WALLET_UNAVAILABLE"), true],
    ["a busy server", fault(503, "OVERLOADED", 2_000), true],
    ["a server that asks for a long wait", fault(503, "OVERLOADED", 60_000), false],
    ["a timeout of the gateway", fault(504, "WALLET_UNAVAILABLE"), false],
    ["a timeout of ours", fault(0, TIMED_OUT), false],
    ["a rate limit", fault(429, "RATE_LIMITED"), false],
    ["a refusal", fault(404, "NOT_FOUND"), false],
    ["a bug", new TypeError("x is undefined"), false],
  ])("because of %s", (_why, cause, repeated) => {
    expect(shouldRetry(0, cause)).toBe(repeated);
    expect(shouldRetry(2, cause)).toBe(false);
  });

  test("waits longer each time, and as long as the server asks", () => {
    for (const [failures, least, most] of [
      [0, 500, 1_000],
      [1, 1_000, 2_000],
      [9, 2_500, 5_000],
    ] as const) {
      expect(retryDelay(failures, fault(503))).toBeGreaterThanOrEqual(least);
      expect(retryDelay(failures, fault(503))).toBeLessThanOrEqual(most);
    }
    expect(retryDelay(0, fault(503, "OVERLOADED", 4_000))).toBe(4_000);
  });

  test("is repeated every ten seconds or so, unless it was refused", () => {
    const interval = (error: Error | null) => recoveryInterval({ state: { error } });
    expect(interval(fault(503))).toBeGreaterThanOrEqual(10_000);
    expect(interval(fault(503))).toBeLessThanOrEqual(12_000);
    expect(interval(fault(503, "OVERLOADED", 30_000))).toBe(30_000);
    expect(interval(fault(503, "OVERLOADED", 3_600_000))).toBe(300_000);
    expect(interval(fault(404, "NOT_FOUND"))).toBe(false);
    expect(interval(null)).toBe(false);
  });
});
