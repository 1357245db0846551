import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordServerTime, serverNow } from "@/lib/clock";
import { send } from "@/lib/http/envelope";

const HOUR = 3_600_000;
const offset = () => serverNow() - Date.now();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-20T08:00:00Z") });
  // Two observations reset the offset that earlier tests left, whether it was positive or negative.
  recordServerTime("Fri, 20 Nov 2026 07:00:00 GMT");
  recordServerTime("Fri, 20 Nov 2026 08:00:00 GMT");
});
afterEach(() => void vi.useRealTimers());

test("a phone whose clock is an hour behind follows the server from the first reply on", async () => {
  vi.stubGlobal("fetch", async () => {
    const body = JSON.stringify({ statusCode: 200, statusMessage: "OK", payload: null });
    return new Response(body, { headers: { date: "Fri, 20 Nov 2026 09:00:00 GMT" } });
  });
  await send("/x");
  expect(offset()).toBe(HOUR);
  vi.advanceTimersByTime(HOUR);
  expect(new Date(serverNow()).toISOString()).toBe("2026-11-20T10:00:00.000Z");
});

test("a correct phone clock is not adjusted, although Date has whole seconds only", () => {
  recordServerTime("Fri, 20 Nov 2026 08:00:00 GMT");
  vi.advanceTimersByTime(999);
  recordServerTime("Fri, 20 Nov 2026 08:00:00 GMT");
  expect(offset()).toBe(0);
});

test("a phone whose clock is an hour ahead is set back", () => {
  recordServerTime("Fri, 20 Nov 2026 07:00:00 GMT");
  expect(Math.abs(offset() + HOUR)).toBeLessThanOrEqual(1_000);
});

test.each([null, "yesterday"])("an unusable Date (%o) changes nothing", (date) => {
  recordServerTime(date);
  expect(offset()).toBe(0);
});
