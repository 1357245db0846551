import { currentSession, parseSession, type Session, saveSession } from "@/lib/session/session";

/**
 * Tabs may hold the same refresh token: a duplicated tab starts with a copy of the session storage, and a new one is
 * signed in by the session cookie. That token is valid for one renewal. Hence renewals take a lock, and the tab that
 * renewed broadcasts the new session. A tab that was suspended meanwhile continues with the newer token of the cookie.
 */
const NAME = "session";

interface SessionUpdate {
  readonly from: string;
  /** The renewed session; null after a sign-out. */
  readonly next: Session | null;
}

/**
 * Adopts sessions that other tabs renewed from this tab's session, and signs this tab out with the tab that ended it.
 * Returns the function that stops it.
 */
export function syncWithOtherTabs(): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<Partial<SessionUpdate> | null>) => {
    if (!data || currentSession()?.refreshToken !== data.from) return;
    const next = parseSession(data.next);
    if (next) saveSession(next);
    if (data.next !== null) return;
    // The other tab has emptied the storage that they share. Nothing stays in this one's memory either.
    sessionStorage.clear();
    location.reload();
  };
  return () => channel.close();
}

/** Broadcasts the next session, or the end of one, to the tabs that hold the refresh token `from`. */
export function broadcastSession(from: string, next: Session | null): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(NAME);
  channel.postMessage({ from, next } satisfies SessionUpdate);
  channel.close();
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
