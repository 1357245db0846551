import type { Launch } from "./ticket";

/** The URLs of the app's own pages to which a game leads (README.md names them). */
export interface Links {
  /** The way back. */
  back: string;
  /** The tournament's board. */
  board: string | null;
  /** Starts a run that counts; a guest signs up first. */
  compete: string | null;
}

export function linksOf({ game, tournamentId, guest }: Launch, origin: string): Links {
  const board = tournamentId ? `${origin}/tournaments/leaderboard/${tournamentId}` : null;
  const details = game && `/games/${game}`;
  const compete = details && `${details}?play=1${tournamentId ? `&tournamentId=${tournamentId}` : ""}`;
  return {
    back: board ?? origin + (details ?? "/"),
    board,
    compete: compete && origin + (guest ? `/register?from=${encodeURIComponent(compete)}` : compete),
  };
}
