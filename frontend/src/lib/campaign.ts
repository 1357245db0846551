const PARAM = "utm_source";
const STORAGE_KEY = "utm_source";

/** Keeps a non-blank utm_source for the referral step. */
export function rememberCampaign(search: string): void {
  const source = new URLSearchParams(search).get(PARAM)?.trim();
  if (source) localStorage.setItem(STORAGE_KEY, source);
}

/** What brought this player here: the code of who invited them, or nothing. */
export function storedCampaign(): string {
  return localStorage.getItem(STORAGE_KEY) ?? "";
}
