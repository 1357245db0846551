import { useEffect } from "react";
import * as z from "zod/mini";
import { deviceStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

/** After this much play the app says how long it was, in milliseconds. */
const CHECK_AFTER_MS = 60 * 60_000;
/** After a pause as long as this the play begins anew, in milliseconds. */
const PAUSE_MS = 15 * 60_000;
/** How often the time of an open game is added up, in milliseconds. */
const STEP_MS = 15_000;

const KEY = "play-time";
const playTime = z.object({ playedMs: z.number(), at: z.number() });

function store(playedMs: number, at: number): void {
  deviceStorage.setItem(KEY, JSON.stringify({ playedMs, at }));
}

/** Adds the time since the last call, unless it was a pause. A step counts once however late it comes. */
function addStep(now: number): void {
  const { playedMs, at } = readStored(deviceStorage, KEY, playTime) ?? { playedMs: 0, at: 0 };
  const since = now - at;
  const isPause = since < 0 || since > PAUSE_MS;
  store(isPause ? 0 : playedMs + Math.min(since, STEP_MS), now);
}

/** Counts the time for which the screen is shown as play, while a game is open. */
export function usePlayTime(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    addStep(Date.now());
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") addStep(Date.now());
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
}

/** Whether the player has played for an hour since the last pause or the last check. */
export function isCheckDue(): boolean {
  return (readStored(deviceStorage, KEY, playTime)?.playedMs ?? 0) >= CHECK_AFTER_MS;
}

/** Lets the next hour begin. */
export function restartPlayTime(): void {
  store(0, Date.now());
}
