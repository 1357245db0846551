import "@/lib/i18n/app";
import { type LoaderFunctionArgs, redirect, replace } from "react-router";
import { afterSignIn, loginFrom, paths, profileFrom } from "@/app/paths";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { dropRefused, fetchProfile, freshToken, renewedToken } from "@/lib/session/access";
import { isComplete, type Player } from "@/lib/session/player";
import { currentPlayer, currentSession } from "@/lib/session/session";
import { messageOf, toast } from "@/lib/toast";

/** The stored profile, fetched again when the token had to be renewed; token and profile when nothing is stored. */
async function profileOf(): Promise<Player | null> {
  const before = currentSession();
  const token = await (currentPlayer() ? freshToken() : renewedToken());
  const stored = currentPlayer();
  if (stored && before?.accessToken === token) return stored;
  try {
    return (await fetchProfile(token)).player;
  } catch (cause) {
    if (cause instanceof Fault && cause.unauthenticated) {
      dropRefused(token);
      throw cause;
    }
    toast.error(messageOf(cause));
    return stored;
  }
}

/**
 * Leads a visit elsewhere. Where the browser stands already, by a first page or a step back, that step is replaced:
 * who goes back to it would be sent on from it for ever, and could never leave the app.
 */
function onTo(place: string, visit: URL): Response {
  const { pathname, search } = window.location;
  const isThere = pathname === visit.pathname && search === visit.search;
  return isThere ? replace(place) : redirect(place);
}

/**
 * The profile with the place it stands before, as it was last asked for in this visit, and by whom: a step back to home,
 * which asks for nothing of its own, must not lose it.
 */
let gaps: { readonly uid: string; readonly place: string } | null = null;

function profileBefore(url: URL, uid: string): string {
  const place = profileFrom(url);
  if (place !== paths.profile) gaps = { uid, place };
  return gaps?.uid === uid ? gaps.place : place;
}

/** Before every guarded screen: a signed-in player with a complete profile, or the way to become one. */
export async function guard({ request }: LoaderFunctionArgs): Promise<null> {
  const url = new URL(request.url);
  if (!currentSession()) throw onTo(loginFrom(url), url);
  let player: Player | null;
  try {
    player = await profileOf();
  } catch {
    if (!currentSession()) throw onTo(loginFrom(url), url);
    // No line to the server: what is stored still opens the page, which says itself what it cannot load.
    player = currentPlayer();
  }
  if (player && !isComplete(player) && url.pathname !== paths.profile) {
    toast.info(t("profile.incomplete"));
    throw onTo(profileBefore(url, player.uid), url);
  }
  if (player && isComplete(player)) gaps = null;
  return null;
}

/** Login and register are for visitors; who is in already goes where signing in would have led. */
export function visitorsOnly({ request }: LoaderFunctionArgs): null {
  const url = new URL(request.url);
  if (currentSession()) throw onTo(afterSignIn(url.search), url);
  return null;
}
