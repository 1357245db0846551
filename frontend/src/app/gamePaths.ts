// These paths are not in `paths.ts`, which is part of the first view.
import { paths } from "@/app/paths";

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
