import type { Refresh } from "@/gen/api/refresh";
import { serverNow } from "@/lib/clock";
import { REFRESH_TIMEOUT_MS } from "@/lib/env";
import { send } from "@/lib/http/envelope";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { type Player, parsePlayer } from "@/lib/session/player";
import {
  clearSession,
  currentSession,
  dropSession,
  mayResume,
  onSessionChange,
  parseSession,
  type Session,
  savePlayer,
  saveSession,
} from "@/lib/session/session";
import { broadcastSession, withTabLock } from "@/lib/session/tabs";

/** A token that expires within this time is renewed before it is used (from the specification). */
const REFRESH_MARGIN_MS = 5 * 60_000;

/**
 * After a failed renewal, calls within this time use the old token while it is valid, instead of waiting for another
 * renewal.
 */
const RENEWAL_PAUSE_MS = 15_000;

function expiresSoon({ expirationTime }: Session): boolean {
  return expirationTime - serverNow() <= REFRESH_MARGIN_MS;
}

function notSignedIn(): Fault {
  return new Fault(t("fault.signedOut"), { code: "UNAUTHENTICATED", status: 401 });
}

/** Requests a refresh. Without a refresh token in the body, the server uses that of the session cookie. */
async function requestRefresh(body: Refresh): Promise<Session> {
  const reply = await send("/auth/refresh", { method: "POST", body, timeoutMs: REFRESH_TIMEOUT_MS });
  const next = parseSession(reply.payload);
  if (!next) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  return next;
}

/** Repeats a refresh whose reply may have been lost. For 30 s the server returns the same successor for the same token. */
async function refreshWithRetry(body: Refresh): Promise<Session> {
  try {
    return await requestRefresh(body);
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.refused || cause.status === 429) throw cause;
    return requestRefresh(body);
  }
}

/** The session that replaced this one in any tab; null without one. @throws Fault after a sign-out. */
function successorOf(session: Session): Session | null {
  const now = currentSession();
  if (now?.uid !== session.uid) throw notSignedIn();
  return now.refreshToken === session.refreshToken ? null : now;
}

/** Renews a session, and adopts the new one in every tab that has the same session. */
async function exchange(session: Session, wish: Omit<Refresh, "refreshToken"> = {}): Promise<Session> {
  try {
    const next = await refreshWithRetry({ refreshToken: session.refreshToken, ...wish });
    // A late reply must not sign in a player who signed out meanwhile.
    const successor = successorOf(session);
    if (successor) return successor;
    saveSession(next);
    broadcastSession(session.refreshToken, next);
    return next;
  } catch (cause) {
    if (!(cause instanceof Fault) || !cause.unauthenticated) throw cause;
    const successor = successorOf(session);
    if (successor) return successor;
    dropSession();
    throw cause;
  }
}

/** Renews a session, unless another tab has renewed it while this one waited for the lock. */
async function exchangeUnlessRenewed(stale: Session): Promise<Session> {
  const successor = successorOf(stale);
  return successor && !expiresSoon(successor) ? successor : exchange(successor ?? stale);
}

let inFlight: { readonly from: string; readonly result: Promise<Session> } | null = null;

/** Exchanges the refresh token for a new session. Parallel callers share one exchange: a second one would be token reuse. */
function refresh(session: Session): Promise<Session> {
  const from = session.refreshToken;
  if (inFlight?.from !== from) {
    const result = withTabLock(() => exchangeUnlessRenewed(session)).finally(() => {
      if (inFlight?.from === from) inFlight = null;
    });
    inFlight = { from, result };
  }
  return inFlight.result;
}

let failedRenewal: { readonly of: string; readonly at: number } | null = null;
let failedResumption = Number.NEGATIVE_INFINITY;
onSessionChange(() => {
  failedRenewal = null;
  failedResumption = Number.NEGATIVE_INFINITY;
});

function hasJustFailed({ refreshToken }: Session): boolean {
  return failedRenewal?.of === refreshToken && Math.abs(Date.now() - failedRenewal.at) < RENEWAL_PAUSE_MS;
}

/** Renews the session and returns its access token, or the current token while that is still valid. */
async function renewed(session: Session): Promise<string> {
  const isValid = () => session.expirationTime > serverNow();
  if (hasJustFailed(session) && isValid()) return session.accessToken;
  try {
    return (await refresh(session)).accessToken;
  } catch (cause) {
    const refused = cause instanceof Fault && cause.unauthenticated;
    if (!refused) failedRenewal = { of: session.refreshToken, at: Date.now() };
    // The token is renewed five minutes early, so a failed renewal can be repeated by a later call.
    if (!refused && isValid()) return session.accessToken;
    throw cause;
  }
}

/** An access token, renewed when it expires soon. @throws Fault UNAUTHENTICATED for a guest. */
export async function freshToken(): Promise<string> {
  const session = currentSession();
  if (!session) throw notSignedIn();
  return expiresSoon(session) ? renewed(session) : session.accessToken;
}

/** An access token, always renewed. @throws Fault UNAUTHENTICATED for a guest. */
export async function renewedToken(): Promise<string> {
  const session = currentSession();
  if (!session) throw notSignedIn();
  return renewed(session);
}

/** Replaces a token that was refused before it expired. All callers with the refused token share one renewal. */
export async function replaceToken(refused: string): Promise<string> {
  const session = currentSession();
  if (!session) throw notSignedIn();
  if (session.accessToken !== refused) return session.accessToken;
  return (await refresh(session)).accessToken;
}

/** Ends the session of a token that the server refused for good, unless another session has been saved meanwhile. */
export function dropRefused(accessToken: string): void {
  if (currentSession()?.accessToken === accessToken) dropSession();
}

/** Changes whether the session outlives the browser. @throws Fault */
export async function setStaySignedIn(staySignedIn: boolean): Promise<void> {
  await withTabLock(async () => {
    const session = currentSession();
    if (!session) throw notSignedIn();
    await exchange(session, { staySignedIn });
  });
}

let resuming: Promise<void> | null = null;

async function resume(): Promise<void> {
  if (!mayResume()) return;
  try {
    const session = await requestRefresh({});
    // The player may have signed in, or out, meanwhile.
    if (!mayResume()) return;
    saveSession(session);
    // The guard reports the failure when it finds no profile.
    await fetchProfile(session.accessToken).catch(() => {});
  } catch (cause) {
    if (cause instanceof Fault && cause.unauthenticated && mayResume()) clearSession();
    else failedResumption = Date.now();
  }
}

/**
 * Signs a window in by the session cookie of its browser: for a window that a push opened, or that of an app which the
 * phone had closed. A guest stays a guest, also when the server cannot be reached.
 */
export async function resumeSession(): Promise<void> {
  if (!mayResume() || Date.now() - failedResumption < RENEWAL_PAUSE_MS) return;
  resuming ??= withTabLock(resume).finally(() => {
    resuming = null;
  });
  await resuming;
}

export interface ProfileFetch {
  readonly player: Player;
  readonly created: boolean;
  readonly message: string;
}

/**
 * Fetches and stores the profile of the token's player. `created` (status 201) says that this call created the profile.
 */
export async function fetchProfile(bearer: string): Promise<ProfileFetch> {
  const reply = await send("/auth/login", { bearer });
  const player = parsePlayer(reply.payload);
  if (!player) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  savePlayer(player);
  return { player, created: reply.statusCode === 201, message: reply.statusMessage };
}
