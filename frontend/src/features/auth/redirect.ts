import type { OAuthProvider } from "@/features/auth/api";
import { ATTEMPT_MS } from "@/features/auth/oauth";

/**
 * A code in the address is taken by the tab alone that went to fetch one, and once. Whoever opened a link with
 * somebody else's code would otherwise be signed in to somebody else's account, and top up their wallet.
 */
const STORAGE_KEY = "oauthRedirect";

/** Notes that this tab leaves for a provider. */
export function beginRedirect(provider: OAuthProvider): void {
  sessionStorage.setItem(STORAGE_KEY, `${provider} ${Date.now()}`);
}

/** The provider that this tab left for, if it did so lately; asked again, it did not. */
export function endRedirect(): OAuthProvider | null {
  const [provider, begun] = sessionStorage.getItem(STORAGE_KEY)?.split(" ") ?? [];
  sessionStorage.removeItem(STORAGE_KEY);
  // Written so that what is no number is refused as well.
  if (!(Math.abs(Date.now() - Number(begun)) < ATTEMPT_MS)) return null;
  return provider === "google" || provider === "facebook" ? provider : null;
}
