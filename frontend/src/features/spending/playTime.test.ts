import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deviceStorage } from "@/lib/storage";
import { isCheckDue, restartPlayTime, usePlayTime } from "./playTime";

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  deviceStorage.clear();
});

/** Plays for this time, in one opening of a game. */
function play(ms: number) {
  const { unmount } = renderHook(() => usePlayTime(true));
  vi.advanceTimersByTime(ms);
  unmount();
}

test("a check is due after an hour of play, over several games", () => {
  play(40 * MINUTE);
  vi.advanceTimersByTime(10 * MINUTE);
  play(19 * MINUTE);
  expect(isCheckDue()).toBe(false);
  play(2 * MINUTE);
  expect(isCheckDue()).toBe(true);
  restartPlayTime();
  expect(isCheckDue()).toBe(false);
});

test("a pause of more than a quarter of an hour begins the hour anew", () => {
  play(59 * MINUTE);
  vi.advanceTimersByTime(16 * MINUTE);
  play(5 * MINUTE);
  expect(isCheckDue()).toBe(false);
});

test("a hidden page is no play", () => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  play(90 * MINUTE);
  expect(isCheckDue()).toBe(false);
});
