// These paths are not in `paths.ts`, which is part of the first view.
import { paths } from "@/app/paths";

const LEADERBOARD = `${paths.tournaments}/leaderboard`;

export const tournamentPaths = {
  /** Leads to the board that its query names, or back to the list. */
  leaderboard: LEADERBOARD,
  board: `${LEADERBOARD}/:id`,
  hallOfFame: `${paths.tournaments}/hall-of-fame`,
} as const;

export function boardPath(id: string): string {
  return tournamentPaths.board.replace(":id", encodeURIComponent(id));
}

/** The path of the board that `?id=` names in the other form of its address; without an id, the list. */
export function boardPathIn(search: string): string {
  const id = new URLSearchParams(search).get("id");
  return id ? boardPath(id) : paths.tournaments;
}
