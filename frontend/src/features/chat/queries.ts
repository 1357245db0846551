import { queryOptions } from "@tanstack/react-query";
import { fetchPlayers } from "@/entities/player/api";
import { fetchJoined, fetchRooms } from "./api";

/** All chat rooms with their member counts. */
export const roomsQuery = queryOptions({
  queryKey: ["chat", "rooms"],
  queryFn: fetchRooms,
  staleTime: 2 * 60_000,
});

/** The rooms that the player is in. */
export const joinedQuery = queryOptions({
  queryKey: ["chat", "joined"],
  queryFn: fetchJoined,
  staleTime: 5 * 60_000,
});

/** The profiles of the writers, by one call for all of them. `ids` are sorted. */
export const writersQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["chat", "writers", ids],
    queryFn: () => fetchPlayers(ids),
    staleTime: 10 * 60_000,
    // The known names stay while those of newer writers are fetched.
    placeholderData: (known) => known,
  });
