import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordServerTime, serverNow } from "./clock";
import { useServerNowAfter } from "./useServerNow";

const start = new Date("2026-05-01T10:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  // Two observations reset the offset that earlier tests left, whether it was positive or negative.
  recordServerTime(after(-3_600).toUTCString());
  recordServerTime(start.toUTCString());
});
afterEach(() => void vi.useRealTimers());

test("the time is renewed when a moment has come, and not each second", () => {
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useServerNowAfter([after(-5), after(40)]);
  });
  act(() => void vi.advanceTimersByTime(39_000));
  expect(result.current).toBe(start.getTime());
  expect(renders).toBe(1);
  act(() => void vi.advanceTimersByTime(2_000));
  expect(result.current).toBeGreaterThanOrEqual(after(40).getTime());
});

test.each([3, -3])(
  "a phone whose clock is corrected by %i hours shows the server's time at once",
  (hours) => {
    const { result } = renderHook(() => useServerNowAfter([after(40)]));
    const server = after(hours * 3_600);
    act(() => recordServerTime(server.toUTCString()));
    expect(result.current).toBe(serverNow());
    expect(Math.abs(result.current - server.getTime())).toBeLessThanOrEqual(1_000);
    act(() => recordServerTime(start.toUTCString()));
    expect(result.current).toBe(serverNow());
  },
);

test("without a moment the time is renewed each minute", () => {
  const { result } = renderHook(() => useServerNowAfter([]));
  for (const minutes of [1, 2]) {
    act(() => void vi.advanceTimersByTime(60_001));
    expect(result.current).toBeGreaterThanOrEqual(after(60 * minutes).getTime());
  }
});
