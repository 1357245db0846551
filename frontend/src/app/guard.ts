import { type LoaderFunctionArgs, redirect, replace } from "react-router";
import { gameVisitIn } from "@/app/gamePaths";
import { afterSignIn, loginFrom, paths, profileFrom } from "@/app/paths";
import { Fault } from "@/lib/http/fault";
import { loadTexts, t } from "@/lib/i18n/i18n";
import { dropRefused, fetchProfile, freshToken, renewedToken, resumeSession } from "@/lib/session/access";
import { isComplete, type Player } from "@/lib/session/player";
import { currentPlayer, currentSession } from "@/lib/session/session";
import { messageOf, toast } from "@/lib/toast";

/**
 * Returns the stored profile. Fetches it again when the token was renewed; refreshes both when no profile is stored.
 */
async function loadProfile(): Promise<Player | null> {
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
 * Redirects a visit. When the browser already stands at the visited page (first page, or a step back), its history entry
 * is replaced: otherwise going back would redirect forever and the player could never leave the app.
 */
function redirectTo(place: string, visit: URL): Response {
  const { pathname, search } = window.location;
  const isCurrentPage = pathname === visit.pathname && search === visit.search;
  return isCurrentPage ? replace(place) : redirect(place);
}

/**
 * The profile redirect with the page that was last requested in this visit, and the player who requested it. It is kept
 * because a later visit to home, which carries no page, must not lose it.
 */
let pendingProfileRedirect: { readonly uid: string; readonly place: string } | null = null;

function profileRedirect(url: URL, uid: string): string {
  const place = profileFrom(url);
  if (place !== paths.profile) pendingProfileRedirect = { uid, place };
  return pendingProfileRedirect?.uid === uid ? pendingProfileRedirect.place : place;
}

/** Lets signed-in players with a complete profile pass; redirects others to the login or to the profile screen. */
export async function guard({ request }: LoaderFunctionArgs): Promise<null> {
  const url = new URL(request.url);
  await resumeSession();
  if (!currentSession()) throw redirectTo(loginFrom(url), url);
  let player: Player | null;
  try {
    player = await loadProfile();
  } catch {
    if (!currentSession()) throw redirectTo(loginFrom(url), url);
    // Without a connection the page opens with the stored profile, and shows itself what it could not load.
    player = currentPlayer();
  }
  if (player && !isComplete(player) && url.pathname !== paths.profile) {
    await loadTexts("app");
    toast.info(t("profile.incomplete"));
    throw redirectTo(profileRedirect(url, player.uid), url);
  }
  if (player && isComplete(player)) pendingProfileRedirect = null;
  return null;
}

/** Redirects signed-in players away from login and register, to where signing in would have led. */
export async function guestsOnly({ request }: LoaderFunctionArgs): Promise<null> {
  const url = new URL(request.url);
  await resumeSession();
  if (currentSession()) throw redirectTo(afterSignIn(url.search), url);
  return null;
}

/** Lets guests pass who practise, and checks players as `guard` does. A run that counts needs a player. */
export async function guardPlayers(args: LoaderFunctionArgs): Promise<null> {
  await resumeSession();
  if (currentSession()) return guard(args);
  const url = new URL(args.request.url);
  if (gameVisitIn(url.search).play) throw redirectTo(loginFrom(url), url);
  return null;
}
