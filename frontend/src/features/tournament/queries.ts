import { infiniteQueryOptions, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { fetchPlayers } from "@/entities/player/api";
import {
  fetchAwards,
  fetchBestRun,
  fetchBoard,
  fetchHallOfFame,
  fetchRunsLeft,
  fetchTournament,
  fetchTournaments,
  type Tournament,
} from "./api";

/** All tournaments. Their stages follow from the clock; only the number of players changes meanwhile. */
export const tournamentsQuery = queryOptions({
  queryKey: ["tournaments"],
  queryFn: fetchTournaments,
  staleTime: 60_000,
});

export const tournamentQueryKeys = ["tournament"] as const;

function tournamentQuery(id: string) {
  return queryOptions({
    queryKey: [...tournamentQueryKeys, id],
    queryFn: () => fetchTournament(id),
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/** One tournament, from the previous page or from the list; fetched if neither has it. */
export function useTournament(id: string, passed: Tournament | null) {
  const client = useQueryClient();
  const listed = () => client.getQueryData(tournamentsQuery.queryKey)?.find((each) => each.id === id);
  return useQuery({
    ...tournamentQuery(id),
    initialData: () => listed() ?? passed ?? undefined,
    initialDataUpdatedAt: () => client.getQueryState(tournamentsQuery.queryKey)?.dataUpdatedAt,
  });
}

const NEXT_ROUND_MS = 2_000;

/**
 * What the player may still play in a round. Runs begin on the game's own page, so each visit of ours asks again, and at
 * the start of a round until the server counts in it, too.
 */
export function runsLeftQuery(tournamentId: string, round: number) {
  return queryOptions({
    queryKey: ["runs-left", tournamentId, round],
    queryFn: () => fetchRunsLeft(tournamentId),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data !== undefined && state.data.round < round && NEXT_ROUND_MS,
    meta: { quiet: true },
  });
}

export const boardKeys = ["board"] as const;
export const bestRunKeys = ["best-run"] as const;

/** The board from its top, page by page. Live updates announce `board/moved`. */
export function boardQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...boardKeys, id, "top"],
    queryFn: ({ pageParam }) => fetchBoard(id, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ last }, _pages, page) => (last ? undefined : page + 1),
    staleTime: 10_000,
    meta: { quiet: true },
  });
}

/** One page of a board, for the places around the player. */
export function boardPageQuery(id: string, page: number) {
  return queryOptions({
    queryKey: [...boardKeys, id, "page", page],
    queryFn: () => fetchBoard(id, page),
    staleTime: 10_000,
    meta: { quiet: true },
  });
}

/** Operators may change awards before the end. */
export function awardsQuery(id: string) {
  return queryOptions({
    queryKey: ["awards", id],
    queryFn: () => fetchAwards(id),
    staleTime: 10 * 60_000,
    meta: { quiet: true },
  });
}

export const fameQuery = queryOptions({
  queryKey: ["hall-of-fame"],
  queryFn: fetchHallOfFame,
  staleTime: 5 * 60_000,
  meta: { quiet: true },
});

/** The members of the hall of fame. The entries are also shown without them, so a failure is only logged. */
export function membersQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ["members", ...ids],
    queryFn: async () => {
      try {
        return await fetchPlayers(ids);
      } catch (cause) {
        // biome-ignore lint/suspicious/noConsole: the specification has this failure logged and not shown.
        console.warn("The members of the hall of fame could not be fetched.", cause);
        throw cause;
      }
    },
    enabled: ids.length > 0,
    staleTime: 30 * 60_000,
    meta: { quiet: true },
  });
}

/** The player's best run of a game; null before the first one. */
export function bestRunQuery(gameId: string) {
  return queryOptions({
    queryKey: [...bestRunKeys, gameId],
    queryFn: () => fetchBestRun(gameId),
    staleTime: 60_000,
    meta: { quiet: true },
  });
}
