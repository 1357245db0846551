/** The JSON of this browser's push subscription, as the server has it. */
const TOKEN_KEY = "fcmToken";
/** For whom it was registered, in which language, and when. */
const REGISTERED_KEY = "fcmTokenRegistered";

export function storedToken(): string | null {
  return localStorage.getItem(TOKEN_KEY);
}

export function storeToken(token: string, uid: string, language: string, now = Date.now()): void {
  localStorage.setItem(TOKEN_KEY, token);
  localStorage.setItem(REGISTERED_KEY, `${uid} ${language} ${now}`);
}

export function clearToken(): void {
  localStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(REGISTERED_KEY);
}

const REFRESH_AFTER_MS = 7 * 24 * 60 * 60_000;

/** Whether the server has to get the token again: after 7 days, for another player, or in another language. */
export function isStale(uid: string, language: string, now = Date.now()): boolean {
  const [ofUid, ofLanguage, at] = (localStorage.getItem(REGISTERED_KEY) ?? "").split(" ");
  const age = now - Number(at);
  return ofUid !== uid || ofLanguage !== language || !(age >= 0 && age < REFRESH_AFTER_MS);
}
