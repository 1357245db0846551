import { afterEach, expect, test, vi } from "vitest";
import { noteServerTime, serverNow } from "@/lib/clock";
import { send } from "@/lib/http/envelope";

const HOUR = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
  noteServerTime(new Date().toUTCString());
});

test("a phone whose clock is an hour off has the server's time from the first reply on", async () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T08:00:00Z") });
  vi.stubGlobal("fetch", async () => {
    const body = JSON.stringify({ statusCode: 200, statusMessage: "OK", payload: null });
    return new Response(body, { headers: { date: "Fri, 20 Nov 2026 09:00:00 GMT" } });
  });
  await send("/x");
  expect(serverNow() - Date.now()).toBe(HOUR);
  vi.advanceTimersByTime(HOUR);
  expect(new Date(serverNow()).toISOString()).toBe("2026-11-20T10:00:00.000Z");
});

test.each([null, "yesterday"])("a Date that reads %o changes nothing", (date) => {
  const before = serverNow() - Date.now();
  noteServerTime(date);
  expect(serverNow() - Date.now()).toBeCloseTo(before, -2);
});
