import type { OAuthProvider } from "@/features/auth/api/requests";
import { t } from "@/lib/i18n/i18n";
import { deviceStorage } from "@/lib/storage";

/** The `source` of the callback page's messages, and the name of the channel that it broadcasts them on. */
const SOURCE = "playon-oauth";

/** The result of a sign-in with a provider: a one-time code to exchange, or the server's error code. */
export type SignInResult = { readonly code: string } | { readonly error: string; readonly message?: string };

/** Parses a message of the callback page; null for any other message. */
export function parseOutcome(data: unknown): SignInResult | null {
  if (typeof data !== "object" || data === null) return null;
  const { source, code, error } = data as { source?: unknown; code?: unknown; error?: unknown };
  if (source !== SOURCE) return null;
  if (typeof code === "string") return { code };
  if (typeof error !== "object" || error === null) return null;
  const { code: reason, message } = error as { code?: unknown; message?: unknown };
  if (typeof reason !== "string") return null;
  return typeof message === "string" ? { error: reason, message } : { error: reason };
}

/** Parses the URL fragment with which the callback redirects back in this window. */
export function parseOutcomeHash(hash: string): SignInResult | null {
  const fragment = new URLSearchParams(hash.replace(/^#/, ""));
  const code = fragment.get("oauth");
  const error = fragment.get("oauth_error");
  if (code) return { code };
  return error ? { error } : null;
}

export function providerName(provider: OAuthProvider): string {
  return t(`auth.${provider}.name`);
}

/** Why a sign-in failed: our own text where there is one, otherwise the server's. */
export function reasonOf(
  { error, message }: Extract<SignInResult, { error: string }>,
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

/** Interval of the check whether the popup was closed. */
const POPUP_POLL_MS = 500;

/**
 * How long an outcome is still accepted after the popup appears to be closed. A provider's Cross-Origin-Opener-Policy
 * severs the popup from this page, which looks the same from here as a closed popup.
 */
export const CLOSED_GRACE_MS = 60_000;

/** How long the server accepts an attempt. */
export const ATTEMPT_MS = 10 * 60_000;

/** How long a tab that received a broadcast waits for another tab to claim it by a direct message. */
const CLAIM_WAIT_MS = 300;

const LAST_ATTEMPT_KEY = "oauthAttempt";
const CLAIMED_KEY = "oauthClaimedAt";

/** Two tabs may wait at the same time. A broadcast reaches both and does not name its attempt. */
const tabs = {
  start: (attempt: string) => deviceStorage.setItem(LAST_ATTEMPT_KEY, attempt),
  isLatest: (attempt: string) => deviceStorage.getItem(LAST_ATTEMPT_KEY) === attempt,
  claim: () => deviceStorage.setItem(CLAIMED_KEY, String(Date.now())),
  claimedSince: (time: number) => Number(deviceStorage.getItem(CLAIMED_KEY)) >= time,
};

interface Watcher {
  readonly onOutcome: (outcome: SignInResult) => void;
  /** The popup appears to be closed, but an outcome may still arrive. */
  readonly onClosed: () => void;
  /** The attempt has timed out. */
  readonly onTimeout: () => void;
}

/** Waits for a popup's outcome, by message or by broadcast. Returns the function that stops waiting. */
export function watchPopup(popup: Window, on: Watcher): () => void {
  const attempt = crypto.randomUUID();
  tabs.start(attempt);
  const end = new AbortController();
  const stop = () => end.abort();
  const finish = (outcome: SignInResult | null) => {
    if (!outcome || end.signal.aborted) return;
    stop();
    popup.close();
    on.onOutcome(outcome);
  };

  const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== window.location.origin || source !== popup) return;
    const outcome = parseOutcome(data);
    if (outcome) tabs.claim();
    finish(outcome);
  };
  window.addEventListener("message", onMessage, { signal: end.signal });
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(SOURCE);
  if (channel) {
    // A tab that got the outcome directly takes it. If no tab did, the popup lost its opener and the last attempt counts.
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Measured from the broadcast, because a background tab's timer runs late.
      const claimableSince = Date.now() - CLAIM_WAIT_MS;
      setTimeout(() => {
        if (tabs.isLatest(attempt) && !tabs.claimedSince(claimableSince)) finish(parseOutcome(data));
      }, CLAIM_WAIT_MS);
    };
  }

  const timeOut = () => {
    stop();
    on.onTimeout();
  };
  let timeout = setTimeout(timeOut, ATTEMPT_MS);
  const watch = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(watch);
    clearTimeout(timeout);
    timeout = setTimeout(timeOut, CLOSED_GRACE_MS);
    on.onClosed();
  }, POPUP_POLL_MS);
  end.signal.addEventListener("abort", () => {
    clearInterval(watch);
    clearTimeout(timeout);
    channel?.close();
  });
  return stop;
}
