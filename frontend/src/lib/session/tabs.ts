import type { Session } from "@/lib/session/session";
import { type Message, NAME, openChannel } from "@/lib/session/tabSync";

function broadcast(message: Message): void {
  const channel = openChannel();
  channel?.postMessage(message);
  channel?.close();
}

/** Broadcasts a renewed session to the tabs that hold the refresh token it came from. */
export function broadcastSession(from: string, next: Session): void {
  broadcast({ from, next });
}

/** Signs a player out in all other tabs. */
export function broadcastEnd(uid: string): void {
  broadcast({ ended: uid });
}

/**
 * Runs `run` in one tab at a time. Without Web Locks (old web views, plain http) only the server's 30 s of grace covers
 * concurrent renewals.
 */
export async function withTabLock<T>(run: () => Promise<T>): Promise<T> {
  // TypeScript's DOM types declare `locks` as always present.
  const locks: LockManager | undefined = navigator.locks;
  return locks ? await locks.request(NAME, run) : await run();
}
