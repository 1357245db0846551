import { queryOptions } from "@tanstack/react-query";
import { fetchGames } from "./api";

/** The catalogue, which changes a few times a week. */
export const gamesQuery = queryOptions({
  queryKey: ["games", "list"],
  queryFn: fetchGames,
  staleTime: 30 * 60_000,
});
