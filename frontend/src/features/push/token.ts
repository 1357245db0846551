import { PUSH_REGISTERED_KEY } from "@/lib/session/pushRegistration";
import { deviceStorage } from "@/lib/storage";

/** The JSON of this browser's push subscription, as the server has it. */
const TOKEN_KEY = "fcmToken";

const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Calls back after each change of the stored token. Returns the unsubscribe function. */
export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function storedToken(): string | null {
  return deviceStorage.getItem(TOKEN_KEY);
}

export function storeToken(token: string, uid: string, language: string, now = Date.now()): void {
  deviceStorage.setItem(TOKEN_KEY, token);
  deviceStorage.setItem(PUSH_REGISTERED_KEY, `${uid} ${language} ${now}`);
  notify();
}

export function clearToken(): void {
  deviceStorage.removeItem(TOKEN_KEY);
  deviceStorage.removeItem(PUSH_REGISTERED_KEY);
  notify();
}

const REFRESH_AFTER_MS = 7 * 24 * 60 * 60_000;

/**
 * Whether the server must get the token again: after 7 days, for another player or a new session, or in another
 * language.
 */
export function isStale(uid: string, language: string, now = Date.now()): boolean {
  const [ofUid, ofLanguage, at] = (deviceStorage.getItem(PUSH_REGISTERED_KEY) ?? "").split(" ");
  const age = now - Number(at);
  return ofUid !== uid || ofLanguage !== language || !(age >= 0 && age < REFRESH_AFTER_MS);
}
