import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordServerTime, serverNow } from "@/lib/clock";
import { send } from "@/lib/http/envelope";
import { onSecond } from "@/lib/ticker";

const HOUR = 3_600_000;
const offset = () => serverNow() - Date.now();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-20T08:00:00Z") });
  // Two observations reset the offset that earlier tests left, whether it was positive or negative.
  recordServerTime("Fri, 20 Nov 2026 07:00:00 GMT");
  recordServerTime("Fri, 20 Nov 2026 08:00:00 GMT");
});
afterEach(() => void vi.useRealTimers());

test("the Date of a reply that the browser keeps is not the time", async () => {
  vi.stubGlobal("fetch", async () => {
    const headers = { date: "Fri, 20 Nov 2026 07:00:00 GMT", "cache-control": "public, max-age=86400" };
    const body = JSON.stringify({ statusCode: 200, statusMessage: "OK", payload: [] });
    return new Response(body, { headers });
  });
  await send("/countries/list");
  expect(offset()).toBe(0);
});

test("a phone whose clock is an hour behind follows the server from the first reply on", async () => {
  vi.stubGlobal("fetch", async () => {
    const headers = { date: "Fri, 20 Nov 2026 09:00:00 GMT", "cache-control": "no-store" };
    const body = JSON.stringify({ statusCode: 200, statusMessage: "OK", payload: null });
    return new Response(body, { headers });
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

test("a jump of more than a second reaches who follows the clock at once, a finer estimate does not", () => {
  const listener = vi.fn();
  const stop = onSecond(listener);
  vi.advanceTimersByTime(1_400);
  listener.mockClear();
  recordServerTime("Fri, 20 Nov 2026 08:00:01 GMT");
  expect(listener).not.toHaveBeenCalled();
  recordServerTime("Fri, 20 Nov 2026 11:00:00 GMT");
  expect(listener).toHaveBeenCalledExactlyOnceWith(serverNow());
  stop();
});

test.each([null, "yesterday"])("an unusable Date (%o) changes nothing", (date) => {
  recordServerTime(date);
  expect(offset()).toBe(0);
});
