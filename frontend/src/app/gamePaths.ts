// These paths are not in `paths.ts`, which is part of the first view.
import { matchPath } from "react-router";
import { paths } from "@/app/paths";
import { tournamentPaths } from "@/app/tournamentPaths";
import { webUrl } from "@/lib/webUrl";

/** The screen around a game that is being played. */
export const PLAY_PATH = `${paths.game}/play`;

export function playPath(id: string): string {
  return PLAY_PATH.replace(":id", encodeURIComponent(id));
}

/** The pages of the app that games link to. */
const fromGames = [paths.home, paths.register, paths.game, tournamentPaths.board];

/** The path of the app's page that a game leads to; the game's details if games do not link to that page. */
export function pathFromGame(url: string, id: string): string {
  const page = webUrl(url);
  const isLinked =
    page?.origin === window.location.origin && fromGames.some((path) => matchPath(path, page.pathname));
  return page && isLinked ? page.pathname + page.search : gamePath(id);
}

interface GameVisit {
  readonly tournamentId?: string | null;
  /** Whether the page starts a run at once. */
  readonly play?: boolean;
}

/**
 * The path of a game's details, for a run in a tournament if one is named. Games link here too, for their Play again.
 */
export function gamePath(id: string, { tournamentId, play = false }: GameVisit = {}): string {
  const query = new URLSearchParams({
    ...(play ? { play: "1" } : {}),
    ...(tournamentId ? { tournamentId } : {}),
  }).toString();
  return paths.game.replace(":id", encodeURIComponent(id)) + (query && `?${query}`);
}

/** Parses what a link to a game asks for. */
export function gameVisitIn(search: string): Required<GameVisit> {
  const query = new URLSearchParams(search);
  return {
    play: query.get("play") === "1",
    tournamentId: query.get("tournamentId") || query.get("tournament") || null,
  };
}

export function tvItemPath(id: string): string {
  return paths.tvItem.replace(":id", encodeURIComponent(id));
}
