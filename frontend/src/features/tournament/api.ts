import * as z from "zod/mini";
import { FameEntry as wireFameEntry } from "@/gen/api/fameEntry";
import { Leaderboard as leaderboard } from "@/gen/api/leaderboard";
import type { LeaderboardEntry } from "@/gen/api/leaderboardEntry";
import { type RoundRuns, RoundRuns as roundRuns } from "@/gen/api/roundRuns";
import { Run as wireRun } from "@/gen/api/run";
import { Tournament as wireTournament } from "@/gen/api/tournament";
import { TournamentAward as tournamentAward } from "@/gen/api/tournamentAward";
import { asGuest, asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const instant = z.pipe(
  z.string(),
  z.transform((text: string) => new Date(text)),
);

const tournament = z.extend(wireTournament, {
  starts: instant,
  ends: instant,
  checkUrl: z._default(z.nullable(z.string()), null),
});
export type Tournament = z.infer<typeof tournament>;

export const tournamentList = z.array(tournament);

export type Board = z.infer<typeof leaderboard>;
export type BoardEntry = LeaderboardEntry;

const awardList = z.array(tournamentAward);
export type Award = z.infer<typeof tournamentAward>;

const fameList = z.array(z.extend(wireFameEntry, { createdAt: instant }));
export type FameEntry = z.infer<typeof fameList>[number];

const run = z.extend(z.pick(wireRun, { points: true, watchUrl: true }), {
  hosted: z._default(z.boolean(), false),
});
export type Run = z.infer<typeof run>;

/** The refusal code for a player without a stored run. */
export const RUN_NOT_FOUND = "RUN_NOT_FOUND";

export const PAGE_SIZE = 15;

const one = encodeURIComponent;

export async function fetchTournaments(): Promise<Tournament[]> {
  return parsePayload(tournamentList, await asGuest("/tournaments"));
}

export async function fetchTournament(id: string): Promise<Tournament> {
  return parsePayload(tournament, await asGuest(`/tournaments/${one(id)}`));
}

/** A page of the board, from 0, and the player's own place. */
export async function fetchBoard(id: string, page: number): Promise<Board> {
  const body = { page, pageSize: PAGE_SIZE };
  return parsePayload(
    leaderboard,
    await asPlayer(`/tournament-leaderboards/${one(id)}`, { method: "POST", body }),
  );
}

export async function fetchAwards(id: string): Promise<Award[]> {
  return parsePayload(awardList, await asGuest(`/tournament-awards/tournament/${one(id)}`));
}

export async function fetchHallOfFame(): Promise<FameEntry[]> {
  return parsePayload(fameList, await asGuest("/hall-of-fame"));
}

/** The run that gave a player the place on the board. @throws Fault RUN_NOT_FOUND. */
export async function fetchRun(tournamentId: string, userId: string): Promise<Run> {
  return parsePayload(run, await asPlayer(`/tournaments/${one(tournamentId)}/runs/${one(userId)}`));
}

/** What the player may still play in the round that is on. @throws Fault TOURNAMENT_NOT_ON. */
export async function fetchRunsLeft(tournamentId: string): Promise<RoundRuns> {
  return parsePayload(roundRuns, await asPlayer(`/tournaments/${one(tournamentId)}/runs-left`));
}

/** The player's own best run of a game; null before the first one. */
export async function fetchBestRun(gameId: string): Promise<Run | null> {
  return parsePayload(z.nullable(run), await asPlayer(`/games/${one(gameId)}/best-run`));
}
