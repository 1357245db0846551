import { queryOptions } from "@tanstack/react-query";
import { fetchTv } from "./api";

/** The videos of PlayOn TV, the primary one first, then newest first. */
export const tvQuery = queryOptions({
  queryKey: ["tv"],
  queryFn: fetchTv,
  staleTime: 15 * 60_000,
});
