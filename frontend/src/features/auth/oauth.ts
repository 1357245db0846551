import type { OAuthProvider } from "@/features/auth/api";
import { t } from "@/lib/i18n/i18n";

/** Both the callback page's signature on its messages and the name of the channel it says them on. */
const SOURCE = "playon-oauth";

/** What a provider's window came back with: a one-time code to exchange, or the server's code for why not. */
export type Outcome = { readonly code: string } | { readonly error: string; readonly message?: string };

/** Reads a message of the callback page; null for whatever else is said in a window. */
export function outcomeIn(data: unknown): Outcome | null {
  if (typeof data !== "object" || data === null) return null;
  const { source, code, error } = data as { source?: unknown; code?: unknown; error?: unknown };
  if (source !== SOURCE) return null;
  if (typeof code === "string") return { code };
  if (typeof error !== "object" || error === null) return null;
  const { code: reason, message } = error as { code?: unknown; message?: unknown };
  if (typeof reason !== "string") return null;
  return typeof message === "string" ? { error: reason, message } : { error: reason };
}

/** Reads the fragment with which the callback leads back in this window. */
export function outcomeInHash(hash: string): Outcome | null {
  const fragment = new URLSearchParams(hash.replace(/^#/, ""));
  const code = fragment.get("oauth");
  const error = fragment.get("oauth_error");
  if (code) return { code };
  return error ? { error } : null;
}

export function providerName(provider: OAuthProvider): string {
  return t(`auth.${provider}.name`);
}

/** Why a sign-in failed, in words of ours where we have them. */
export function reasonOf(
  { error, message }: Extract<Outcome, { error: string }>,
  provider: OAuthProvider,
): string {
  switch (error) {
    case "OAUTH_DENIED":
    case "OAUTH_STATE":
      return t(`auth.oauth.${error}`);
    case "OAUTH_FAILED":
    case "UNAVAILABLE":
      return t(`auth.oauth.${error}`, { provider: providerName(provider) });
    case "PROVIDER_OFF":
      return t(`auth.${provider}.off`);
    default:
      return message ?? t("fault.unknown");
  }
}

const WATCH_MS = 500;

/**
 * How long an outcome is still taken after the window looks closed. A provider's Cross-Origin-Opener-Policy cuts it
 * off from this page, and a window that was cut off and one that was closed look the same from here.
 */
export const AFTERGLOW_MS = 60_000;

/** How long the server takes an attempt for valid. */
export const ATTEMPT_MS = 10 * 60_000;

/** How long a tab that overheard a word waits for another one to say that it was told. */
const OVERHEARD_MS = 300;

const LAST_ATTEMPT_KEY = "oauthAttempt";
const TOLD_KEY = "oauthTold";

/** Two tabs may be waiting at once. What is broadcast reaches both, and says not whose attempt it was. */
const tabs = {
  begin: (attempt: string) => localStorage.setItem(LAST_ATTEMPT_KEY, attempt),
  isLast: (attempt: string) => localStorage.getItem(LAST_ATTEMPT_KEY) === attempt,
  told: () => localStorage.setItem(TOLD_KEY, String(Date.now())),
  anyoneToldSince: (time: number) => Number(localStorage.getItem(TOLD_KEY)) >= time,
};

interface Watcher {
  readonly onOutcome: (outcome: Outcome) => void;
  /** The window looks closed; an outcome may still come. */
  readonly onClosed: () => void;
  /** Nothing can come any more. */
  readonly onOver: () => void;
}

/** Waits for what a provider's window comes to, by whichever way its word gets here. Returns the way to stop. */
export function watchPopup(popup: Window, on: Watcher): () => void {
  const attempt = crypto.randomUUID();
  tabs.begin(attempt);
  const end = new AbortController();
  const stop = () => end.abort();
  const finish = (outcome: Outcome | null) => {
    if (!outcome || end.signal.aborted) return;
    stop();
    popup.close();
    on.onOutcome(outcome);
  };

  const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== window.location.origin || source !== popup) return;
    const outcome = outcomeIn(data);
    if (outcome) tabs.told();
    finish(outcome);
  };
  window.addEventListener("message", hear, { signal: end.signal });
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(SOURCE);
  if (channel) {
    // The window that was told directly takes it; where none was, its opener is cut off, and the last attempt counts.
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Not by when the timer runs: a tab in the background wakes for it late.
      const around = Date.now() - OVERHEARD_MS;
      setTimeout(() => {
        if (tabs.isLast(attempt) && !tabs.anyoneToldSince(around)) finish(outcomeIn(data));
      }, OVERHEARD_MS);
    };
  }

  const giveUp = () => {
    stop();
    on.onOver();
  };
  let patience = setTimeout(giveUp, ATTEMPT_MS);
  const watch = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(watch);
    clearTimeout(patience);
    patience = setTimeout(giveUp, AFTERGLOW_MS);
    on.onClosed();
  }, WATCH_MS);
  end.signal.addEventListener("abort", () => {
    clearInterval(watch);
    clearTimeout(patience);
    channel?.close();
  });
  return stop;
}
