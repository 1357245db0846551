import { onServerTimeJump, serverNow } from "@/lib/clock";

type Listener = (now: number) => void;

const listeners = new Set<Listener>();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  const now = serverNow();
  for (const listener of listeners) listener(now);
  schedule();
}

/** Waits for the next second of the server's clock. A hidden page does not tick. */
function schedule(): void {
  clearTimeout(timer);
  timer = undefined;
  if (listeners.size === 0 || document.visibilityState === "hidden") return;
  timer = setTimeout(tick, 1_000 - (serverNow() % 1_000));
}

function onVisibility(): void {
  if (document.visibilityState === "hidden") schedule();
  else tick();
}

// Countdowns and lists show the corrected time at once.
onServerTimeJump(tick);

/**
 * Calls back at each second of the server's clock with its time in ms since the epoch, when a hidden page is shown
 * again, and when the estimate of the server's clock jumps. All listeners share one timer. Returns the function that stops it.
 */
export function onSecond(listener: Listener): () => void {
  if (listeners.size === 0) document.addEventListener("visibilitychange", onVisibility);
  listeners.add(listener);
  if (timer === undefined) schedule();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", onVisibility);
    schedule();
  };
}
