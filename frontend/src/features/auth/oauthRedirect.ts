import type { OAuthProvider } from "@/features/auth/api/requests";
import { ATTEMPT_MS } from "@/features/auth/oauth";
import { tabStorage } from "@/lib/storage";

/**
 * A code in the URL is accepted once, and only by the tab that started a redirect. Otherwise a link with an attacker's
 * code would sign the player in to the attacker's account (login CSRF), and they might top up that wallet.
 */
const STORAGE_KEY = "oauthRedirect";

/** Records that this tab starts a redirect to a provider. */
export function beginRedirect(provider: OAuthProvider): void {
  tabStorage.setItem(STORAGE_KEY, `${provider} ${Date.now()}`);
}

/** Returns and clears the provider of this tab's redirect, if it was started within ATTEMPT_MS. */
export function endRedirect(): OAuthProvider | null {
  const [provider, begun] = tabStorage.getItem(STORAGE_KEY)?.split(" ") ?? [];
  tabStorage.removeItem(STORAGE_KEY);
  // Negated so that NaN is refused too.
  if (!(Math.abs(Date.now() - Number(begun)) < ATTEMPT_MS)) return null;
  return provider === "google" || provider === "facebook" ? provider : null;
}
