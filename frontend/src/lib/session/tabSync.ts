import { currentSession, parseSession, type Session, saveSession } from "@/lib/session/session";
import { tabStorage } from "@/lib/storage";

/**
 * Tabs may hold the same refresh token: a duplicated tab starts with a copy of the session storage, and a new one is
 * signed in by the session cookie. That token is valid for one renewal. Hence renewals take a lock, and the tab that
 * renewed broadcasts the new session. A tab that was suspended meanwhile continues with the newer token of the cookie.
 */
export const NAME = "session";

export type Message =
  | { readonly from: string; readonly next: Session }
  /** The player whose session has ended. A window that the cookie signed in has another token of the same session. */
  | { readonly ended: string };

/** Opens the tabs' channel; null in a browser without broadcast channels. */
export function openChannel(): BroadcastChannel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(NAME);
}

/**
 * Adopts sessions that other tabs renewed from this tab's session, and signs this tab out with another one of its player.
 * Returns the function that stops it.
 */
export function syncWithOtherTabs(): () => void {
  const channel = openChannel();
  if (!channel) return () => {};
  channel.onmessage = ({ data }: MessageEvent<Message | null>) => {
    const session = currentSession();
    if (!data || !session) return;
    if ("ended" in data) {
      if (data.ended !== session.uid) return;
      // The other tab has emptied the storage that they share. Nothing stays in this one's memory either.
      tabStorage.clear();
      location.reload();
    } else if (data.from === session.refreshToken) {
      const next = parseSession(data.next);
      if (next) saveSession(next);
    }
  };
  return () => channel.close();
}
