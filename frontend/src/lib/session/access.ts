import { send } from "@/lib/http/envelope";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { type Player, parsePlayer } from "@/lib/session/player";
import {
  currentSession,
  dropSession,
  parseSession,
  type Session,
  savePlayer,
  saveSession,
} from "@/lib/session/session";

/** The spec's margin: a token this close to its end is renewed before it is used. */
const REFRESH_MARGIN_MS = 5 * 60_000;

let underway: Promise<Session> | null = null;

async function exchange(session: Session): Promise<Session> {
  try {
    const reply = await send("/auth/refresh", {
      method: "POST",
      body: { refreshToken: session.refreshToken },
    });
    const next = parseSession(reply.payload);
    if (!next) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
    // A player who signed out meanwhile must not be signed in again by a late reply.
    if (currentSession()?.refreshToken === session.refreshToken) saveSession(next);
    return next;
  } catch (cause) {
    if (cause instanceof Fault && cause.refused) dropSession();
    throw cause;
  }
}

/** Trades the refresh token for a new session. Parallel callers share one exchange, since a second one would be reuse. */
export function refresh(session: Session): Promise<Session> {
  underway ??= exchange(session).finally(() => {
    underway = null;
  });
  return underway;
}

/** An access token good for at least the margin. @throws Fault UNAUTHENTICATED for a guest. */
export async function freshToken(): Promise<string> {
  const session = currentSession();
  if (!session) throw new Fault(t("fault.signedOut"), { code: "UNAUTHENTICATED", status: 401 });
  if (session.expirationTime - Date.now() > REFRESH_MARGIN_MS) return session.accessToken;
  return (await refresh(session)).accessToken;
}

/** The token was refused though its time is not up: asks for another, once for all callers it was refused to. */
export async function replaceToken(refused: string): Promise<string> {
  const session = currentSession();
  if (!session) throw new Fault(t("fault.signedOut"), { code: "UNAUTHENTICATED", status: 401 });
  if (session.accessToken !== refused) return session.accessToken;
  return (await refresh(session)).accessToken;
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
