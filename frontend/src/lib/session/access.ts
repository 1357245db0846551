import { serverNow } from "@/lib/clock";
import { REFRESH_TIMEOUT_MS } from "@/lib/env";
import { send } from "@/lib/http/envelope";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { type Player, parsePlayer } from "@/lib/session/player";
import { newerThan, sealNewest } from "@/lib/session/sealed";
import {
  currentSession,
  dropSession,
  parseSession,
  type Session,
  savePlayer,
  saveSession,
} from "@/lib/session/session";
import { inTurn, tellOtherTabs } from "@/lib/session/tabs";

/** The spec's margin: a token this close to its end is renewed before it is used. */
const REFRESH_MARGIN_MS = 5 * 60_000;

function nearItsEnd({ expirationTime }: Session): boolean {
  return expirationTime - serverNow() <= REFRESH_MARGIN_MS;
}

function signedOut(): Fault {
  return new Fault(t("fault.signedOut"), { code: "UNAUTHENTICATED", status: 401 });
}

async function ask(refreshToken: string): Promise<Session> {
  const reply = await send("/auth/refresh", {
    method: "POST",
    body: { refreshToken },
    timeoutMs: REFRESH_TIMEOUT_MS,
  });
  const next = parseSession(reply.payload);
  if (!next) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  return next;
}

/** One repeat under the same token, which the server answers with the same successor for 30 s: its reply may be what was lost. */
async function askTwice(refreshToken: string): Promise<Session> {
  try {
    return await ask(refreshToken);
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.refused || cause.status === 429) throw cause;
    return ask(refreshToken);
  }
}

/** What is stored by now in the place of a session: its successor, made by this tab or by another. */
function successorOf(session: Session): Session | null {
  const now = currentSession();
  if (now?.uid !== session.uid) throw signedOut();
  return now.refreshToken === session.refreshToken ? null : now;
}

/** Takes over what other tabs left while this one slept, if anything. */
async function catchUp(session: Session): Promise<Session | null> {
  const newer = await newerThan(session);
  const meanwhile = successorOf(session);
  if (meanwhile || !newer) return meanwhile;
  saveSession(newer);
  return newer;
}

async function exchange(stale: Session): Promise<Session> {
  // Whoever had the turn before may have renewed this very session.
  const earlier = successorOf(stale) ?? (await catchUp(stale));
  if (earlier && !nearItsEnd(earlier)) return earlier;
  const session = earlier ?? stale;
  try {
    const next = await askTwice(session.refreshToken);
    // A player who signed out meanwhile must not be signed in again by a late reply.
    const meanwhile = successorOf(session);
    if (meanwhile) return meanwhile;
    saveSession(next);
    tellOtherTabs(session.refreshToken, next);
    // Best effort: without it the other tabs still have what they were just told.
    await sealNewest(next).catch(() => {});
    return next;
  } catch (cause) {
    if (!(cause instanceof Fault) || !cause.unauthenticated) throw cause;
    const meanwhile = successorOf(session);
    if (meanwhile) return meanwhile;
    dropSession();
    throw cause;
  }
}

let underway: { readonly from: string; readonly result: Promise<Session> } | null = null;

/** Trades the refresh token for a new session. Parallel callers share one exchange, since a second one would be reuse. */
function refresh(session: Session): Promise<Session> {
  const from = session.refreshToken;
  if (underway?.from !== from) {
    const result = inTurn(() => exchange(session)).finally(() => {
      if (underway?.from === from) underway = null;
    });
    underway = { from, result };
  }
  return underway.result;
}

/** The token of a session renewed, or the one it has while that is good. */
async function renewed(session: Session): Promise<string> {
  try {
    return (await refresh(session)).accessToken;
  } catch (cause) {
    const refused = cause instanceof Fault && cause.unauthenticated;
    // The margin is there for this: what cannot be renewed now is still good, and the next call tries again.
    if (!refused && session.expirationTime > serverNow()) return session.accessToken;
    throw cause;
  }
}

/** An access token, renewed near its end. @throws Fault UNAUTHENTICATED for a guest. */
export async function freshToken(): Promise<string> {
  const session = currentSession();
  if (!session) throw signedOut();
  return nearItsEnd(session) ? renewed(session) : session.accessToken;
}

/** An access token, renewed whatever time it has left. @throws Fault UNAUTHENTICATED for a guest. */
export async function renewedToken(): Promise<string> {
  const session = currentSession();
  if (!session) throw signedOut();
  return renewed(session);
}

/** The token was refused though its time is not up: asks for another, once for all callers it was refused to. */
export async function replaceToken(refused: string): Promise<string> {
  const session = currentSession();
  if (!session) throw signedOut();
  if (session.accessToken !== refused) return session.accessToken;
  return (await refresh(session)).accessToken;
}

/** The server refused this token for good. Another session may stand there by now: a tab's renewal, or the next player's. */
export function dropRefused(accessToken: string): void {
  if (currentSession()?.accessToken === accessToken) dropSession();
}

export interface ProfileFetch {
  readonly player: Player;
  readonly created: boolean;
  readonly message: string;
}

/** Fetches the player's profile with the given token and keeps it. 201 says that this call created the account's profile. */
export async function fetchProfile(bearer: string): Promise<ProfileFetch> {
  const reply = await send("/auth/login", { bearer });
  const player = parsePlayer(reply.payload);
  if (!player) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  savePlayer(player);
  return { player, created: reply.statusCode === 201, message: reply.statusMessage };
}
