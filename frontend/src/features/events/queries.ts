import { queryOptions } from "@tanstack/react-query";
import { fetchEvents } from "./api";

/** The events of home's banner, newest first. */
export const eventsQuery = queryOptions({
  queryKey: ["events"],
  queryFn: fetchEvents,
  staleTime: 15 * 60_000,
});
