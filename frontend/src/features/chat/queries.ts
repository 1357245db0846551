import { queryOptions } from "@tanstack/react-query";
import { fetchRooms } from "./api";

/** All chat rooms with their member counts. */
export const roomsQuery = queryOptions({
  queryKey: ["chat", "rooms"],
  queryFn: fetchRooms,
  staleTime: 2 * 60_000,
});
