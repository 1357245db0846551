import { currentSession, parseSession, type Session, saveSession } from "@/lib/session/session";

/**
 * A duplicated tab starts with a copy of the session storage, and so with the same refresh token. It is good for
 * one renewal: a second one by another tab would be reuse, which ends the session for both. Hence they take turns,
 * and who renewed hands the successor on.
 */
const NAME = "session";

interface HandOver {
  readonly from: string;
  readonly next: Session;
}

function parse(raw: unknown): HandOver | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { from, next } = raw as Partial<Record<keyof HandOver, unknown>>;
  const session = parseSession(next);
  return typeof from === "string" && session ? { from, next: session } : null;
}

/** Takes over what another tab made of the session this tab holds too. Returns the way to stop. */
export function followOtherTabs(): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const handOver = parse(data);
    if (handOver && currentSession()?.refreshToken === handOver.from) saveSession(handOver.next);
  };
  return () => channel.close();
}

/** Hands the session that came of this refresh token to the tabs that hold it too. */
export function tellOtherTabs(from: string, next: Session): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(NAME);
  channel.postMessage({ from, next } satisfies HandOver);
  channel.close();
}

/** Runs one tab after the other. Where there are no locks (old web views, plain http), the server's grace has to do. */
export async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  // TypeScript believes that every browser has them.
  const locks: LockManager | undefined = navigator.locks;
  return locks ? await locks.request(NAME, run) : await run();
}
