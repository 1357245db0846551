import { LANGUAGE_KEY } from "@/lib/i18n/language";
import { type Player, parsePlayer } from "@/lib/session/player";
import { deviceStorage, tabStorage } from "@/lib/storage";

/** The session as svc-auth issued it. `expirationTime` is the access token's, in ms since the epoch. */
export interface Session {
  readonly uid: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expirationTime: number;
  /** Whether the session outlives the browser. */
  readonly staySignedIn: boolean;
}

const USER_KEY = "user";
const PROFILE_KEY = "profile";
const SIGNED_IN_KEY = "signedIn";
const ONBOARDED_KEY = "onboarded";

type Listener = () => void;
const listeners = new Set<Listener>();
const lossListeners = new Set<Listener>();

function notify(): void {
  for (const listener of listeners) listener();
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(tabStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Parses a session from untrusted input. */
export function parseSession(raw: unknown): Session | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { uid, accessToken, refreshToken, expirationTime, staySignedIn } = raw as Partial<
    Record<keyof Session, unknown>
  >;
  if (typeof uid !== "string" || typeof accessToken !== "string" || typeof refreshToken !== "string")
    return null;
  if (typeof expirationTime !== "number") return null;
  return { uid, accessToken, refreshToken, expirationTime, staySignedIn: staySignedIn === true };
}

export function currentSession(): Session | null {
  return parseSession(readJson(USER_KEY));
}

/**
 * Whether a window without a session may be signed in by the session cookie. No page can read that cookie, so a mark in
 * local storage spares all other guests the call. After a logout without connection the mark is gone, and the cookie is
 * not used.
 */
export function mayResume(): boolean {
  return currentSession() === null && deviceStorage.getItem(SIGNED_IN_KEY) !== null;
}

export function saveSession(session: Session): void {
  deviceStorage.setItem(SIGNED_IN_KEY, "1");
  // The next player on this phone must not see the profile of the previous one.
  if (currentPlayer()?.uid !== session.uid) tabStorage.removeItem(PROFILE_KEY);
  tabStorage.setItem(USER_KEY, JSON.stringify(session));
  notify();
}

// useSyncExternalStore needs the same object while nothing changed, so the parsed profile is cached with its source.
let cached: { raw: string | null; player: Player | null } = { raw: null, player: null };

export function currentPlayer(): Player | null {
  const raw = tabStorage.getItem(PROFILE_KEY);
  if (raw !== cached.raw) cached = { raw, player: parsePlayer(readJson(PROFILE_KEY)) };
  return cached.player;
}

export function savePlayer(player: Player): void {
  tabStorage.setItem(PROFILE_KEY, JSON.stringify(player));
  notify();
}

/** Removes the session and the profile. Device settings stay. */
export function clearSession(): void {
  for (const key of [USER_KEY, PROFILE_KEY]) tabStorage.removeItem(key);
  deviceStorage.removeItem(SIGNED_IN_KEY);
  notify();
}

/** Removes a session that the server has ended, and notifies the listeners of `onSessionLost`. */
export function dropSession(): void {
  clearSession();
  for (const listener of lossListeners) listener();
}

/** The settings that belong to the phone and not to the player (decision 6). */
const DEVICE_KEYS = [ONBOARDED_KEY, LANGUAGE_KEY];

/** Empties both storages at logout, except for the phone's own settings. */
export function clearStorage(): void {
  const kept = DEVICE_KEYS.map((key) => [key, deviceStorage.getItem(key)] as const);
  tabStorage.clear();
  deviceStorage.clear();
  for (const [key, value] of kept) if (value !== null) deviceStorage.setItem(key, value);
  notify();
}

export function hasOnboarded(): boolean {
  return deviceStorage.getItem(ONBOARDED_KEY) !== null;
}

export function markOnboarded(): void {
  deviceStorage.setItem(ONBOARDED_KEY, "1");
}

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls the listener when the server has ended the session without the player asking for it. */
export function onSessionLost(listener: Listener): () => void {
  lossListeners.add(listener);
  return () => lossListeners.delete(listener);
}
