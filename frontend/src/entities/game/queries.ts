import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { fetchGame, fetchGames, fetchRecentGames } from "./api";

const CATALOGUE_STALE_MS = 30 * 60_000;

/** The catalogue, which changes a few times a week. */
export const gamesQuery = queryOptions({
  queryKey: ["games", "list"],
  queryFn: fetchGames,
  staleTime: CATALOGUE_STALE_MS,
});

export function gameQuery(id: string) {
  return queryOptions({
    queryKey: ["games", "one", id],
    queryFn: () => fetchGame(id),
    staleTime: CATALOGUE_STALE_MS,
  });
}

/** The games that the player played last. Opening a run, and its end, make the list stale (`game/played`). */
export const recentGamesQuery = queryOptions({
  queryKey: ["games", "recent"],
  queryFn: fetchRecentGames,
  staleTime: 5 * 60_000,
});

/** One game. In most visits the catalogue has it already, and there is no call. */
export function useGame(id: string) {
  const client = useQueryClient();
  return useQuery({
    ...gameQuery(id),
    initialData: () => client.getQueryData(gamesQuery.queryKey)?.find((game) => game.id === id),
    initialDataUpdatedAt: () => client.getQueryState(gamesQuery.queryKey)?.dataUpdatedAt,
  });
}
