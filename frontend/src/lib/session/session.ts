import { type Player, parsePlayer } from "@/lib/session/player";

/** The signed-in user as svc-auth issued it. `expirationTime` is the access token's, in ms since the epoch. */
export interface Session {
  readonly uid: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expirationTime: number;
}

const USER_KEY = "user";
const PROFILE_KEY = "profile";
const SEAL_KEY = "seal";
const ONBOARDED_KEY = "onboarded";

type Listener = () => void;
const listeners = new Set<Listener>();
const lossListeners = new Set<Listener>();

function notify(): void {
  for (const listener of listeners) listener();
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Reads a session from anything that claims to be one. */
export function parseSession(raw: unknown): Session | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { uid, accessToken, refreshToken, expirationTime } = raw as Partial<Record<keyof Session, unknown>>;
  if (typeof uid !== "string" || typeof accessToken !== "string" || typeof refreshToken !== "string")
    return null;
  if (typeof expirationTime !== "number") return null;
  return { uid, accessToken, refreshToken, expirationTime };
}

export function currentSession(): Session | null {
  return parseSession(readJson(USER_KEY));
}

/**
 * What the tabs of one session seal its newest tokens with (`sealed.ts`): drawn at sign-in, so that every duplicate
 * has it, and gone with the last of them. Null for a guest.
 */
export function sealKey(): string | null {
  return sessionStorage.getItem(SEAL_KEY);
}

function drawSealKey(): void {
  const drawn = crypto.getRandomValues(new Uint8Array(32));
  sessionStorage.setItem(SEAL_KEY, btoa(String.fromCharCode(...drawn)));
}

export function saveSession(session: Session): void {
  if (currentSession()?.uid !== session.uid || sealKey() === null) drawSealKey();
  // A profile is its player's own: another one who signs in must not be met by it.
  if (currentPlayer()?.uid !== session.uid) sessionStorage.removeItem(PROFILE_KEY);
  sessionStorage.setItem(USER_KEY, JSON.stringify(session));
  notify();
}

// useSyncExternalStore needs the same object while nothing changed, so the parse is kept beside its source.
let cached: { raw: string | null; player: Player | null } = { raw: null, player: null };

export function currentPlayer(): Player | null {
  const raw = sessionStorage.getItem(PROFILE_KEY);
  if (raw !== cached.raw) cached = { raw, player: parsePlayer(readJson(PROFILE_KEY)) };
  return cached.player;
}

export function savePlayer(player: Player): void {
  sessionStorage.setItem(PROFILE_KEY, JSON.stringify(player));
  notify();
}

/** Forgets who is signed in, as the player knows; their device settings stay. */
export function forgetSession(): void {
  for (const key of [USER_KEY, PROFILE_KEY, SEAL_KEY]) sessionStorage.removeItem(key);
  notify();
}

/** The server no longer knows this session; what it left behind goes, and who has to know is told. */
export function dropSession(): void {
  forgetSession();
  for (const listener of lossListeners) listener();
}

/** Logout: both storages are emptied. That this device has seen the onboarding says nothing of the player and stays. */
export function clearBrowser(): void {
  const onboarded = hasOnboarded();
  sessionStorage.clear();
  localStorage.clear();
  if (onboarded) markOnboarded();
  notify();
}

export function hasOnboarded(): boolean {
  return localStorage.getItem(ONBOARDED_KEY) !== null;
}

export function markOnboarded(): void {
  localStorage.setItem(ONBOARDED_KEY, "1");
}

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells when the server ended the session, which the player has not asked for. */
export function onSessionLost(listener: Listener): () => void {
  lossListeners.add(listener);
  return () => lossListeners.delete(listener);
}
