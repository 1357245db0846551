const STORAGE_KEY = "utm_source";

/** Keeps a non-blank utm_source for the referral step. */
export function rememberCampaign(search: string): void {
  const source = new URLSearchParams(search).get("utm_source")?.trim();
  if (source) localStorage.setItem(STORAGE_KEY, source);
}
