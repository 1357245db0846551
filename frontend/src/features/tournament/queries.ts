import { queryOptions } from "@tanstack/react-query";
import { fetchTournaments } from "./api";

/** All tournaments. Their stages follow from the clock, so the list itself seldom changes. */
export const tournamentsQuery = queryOptions({
  queryKey: ["tournaments"],
  queryFn: fetchTournaments,
  staleTime: 5 * 60_000,
});
