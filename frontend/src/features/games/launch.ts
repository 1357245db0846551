import type { Language } from "@/lib/i18n/language";
import { webUrl } from "@/lib/webUrl";

interface Launch {
  /** Skips the game's title screen. */
  readonly go: boolean;
  readonly language: Language;
}

/**
 * The URL of a run with a play session, as the server gave it. The app's additions are in the fragment, beside the
 * ticket.
 */
export function sessionUrl(gameUrl: string, { go, language }: Launch): string | null {
  const url = webUrl(gameUrl);
  if (!url) return null;
  const extra = `lang=${language}${go ? "&go=1" : ""}`;
  url.hash = url.hash ? `${url.hash}&${extra}` : extra;
  return url.href;
}

interface Practice extends Launch {
  /** To a guest, the game says what an account is good for. */
  readonly isGuest: boolean;
}

/** The URL of a practice run: without a session, and with the game's id for the way back. */
export function practiceUrl(
  game: { readonly id: string; readonly gameUrl: string },
  { go, isGuest, language }: Practice,
): string | null {
  const url = webUrl(game.gameUrl);
  if (!url) return null;
  url.searchParams.set("game", game.id);
  url.searchParams.set("lang", language);
  if (isGuest) url.searchParams.set("guest", "1");
  if (go) url.hash = "go=1";
  return url.href;
}
