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

/** The way to PlayOn that says who showed it. */
export function campaignLink(code: string): string {
  const link = new URL("/", window.location.origin);
  link.searchParams.set(PARAM, code);
  return link.href;
}
