let offsetMs = 0;
let onJump: (() => void) | undefined;

/** The Date header has whole seconds: it names the second in which the reply was started. */
const RESOLUTION_MS = 1_000;

/** Estimates the server clock's offset from a reply's Date header. Changes the estimate only when the two disagree. */
export function recordServerTime(date: string | null): void {
  const minOffset = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(minOffset)) return;
  const before = offsetMs;
  offsetMs = Math.min(Math.max(offsetMs, minOffset), minOffset + RESOLUTION_MS);
  if (Math.abs(offsetMs - before) > RESOLUTION_MS) onJump?.();
}

/** Sets what is called when the estimate changes by more than a second, as after the first reply on a slow clock. */
export function onServerTimeJump(listener: () => void): void {
  onJump = listener;
}

/**
 * The server's current time in ms since the epoch. Times that the server sends are compared with this clock, because a
 * phone's own clock may be hours off.
 */
export function serverNow(): number {
  return Date.now() + offsetMs;
}
