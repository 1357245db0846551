import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useServerNowAfter } from "@/lib/useServerNow";
import type { Tournament } from "./api";
import { momentsOf, roundAt, stageOf } from "./model";
import { runsLeftQuery, tournamentsQuery } from "./queries";

const NO_RUNS_LEFT = "NO_RUNS_LEFT";
const TOURNAMENT_NOT_ON = "TOURNAMENT_NOT_ON";

/** Why a run cannot be started in a tournament now. */
export type Block = "used" | "notOn";

/** The state of the tournament that the next run of a game's page counts in. */
export interface Entry {
  /** Null while the tournament is not known, and without one. */
  readonly tournament: Tournament | null;
  /** Null while it is not known. */
  readonly runsLeft: number | null;
  /** When the next round brings more runs; null in the last round. */
  readonly nextRound: Date | null;
  readonly block: Block | null;
}

/** The player's entry into a tournament, by the server's clock and its refusals. */
export function useEntry(tournamentId: string | null, passed: Tournament | null) {
  const client = useQueryClient();
  const { data } = useQuery({ ...tournamentsQuery, enabled: tournamentId !== null });
  const tournament =
    tournamentId === null
      ? null
      : (data?.find(({ id }) => id === tournamentId) ?? (passed?.id === tournamentId ? passed : null));
  const [moment, setMoment] = useState<Date | null>(null);
  const now = new Date(
    useServerNowAfter(tournament ? [...momentsOf(tournament), ...(moment ? [moment] : [])] : []),
  );
  const [refused, setRefused] = useState<{ readonly id: string; readonly block: Block } | null>(null);
  const { index, next } = tournament ? roundAt(tournament, now) : { index: 0, next: null };
  if (next?.getTime() !== moment?.getTime()) setMoment(next);
  const runsQuery = runsLeftQuery(tournamentId ?? "", index);
  const isOn = tournament !== null && stageOf(tournament, now) === "ongoing";
  const runs = useQuery({ ...runsQuery, enabled: isOn }).data;
  const left = runs?.round === index ? runs : null;

  const blockOf = (): Block | null => {
    if (tournamentId === null) return null;
    if (tournament && !isOn) return "notOn";
    // An open run goes on in the game.
    if (left?.runsLeft === 0 && !left.hasOpenRun) return "used";
    if (refused?.id !== tournamentId) return null;
    // A round that began since the refusal has new runs.
    return refused.block === "used" && tournament ? null : refused.block;
  };
  const entry: Entry = { tournament, runsLeft: left?.runsLeft ?? null, nextRound: next, block: blockOf() };
  return {
    entry,
    /** Whether the page shows the refusal itself. */
    onRefused: (code: string): boolean => {
      if (tournamentId === null || (code !== NO_RUNS_LEFT && code !== TOURNAMENT_NOT_ON)) return false;
      if (code === NO_RUNS_LEFT)
        client.setQueryData(runsQuery.queryKey, { runsLeft: 0, hasOpenRun: false, round: index });
      setRefused({ id: tournamentId, block: code === NO_RUNS_LEFT ? "used" : "notOn" });
      return true;
    },
  };
}
