import { queryOptions } from "@tanstack/react-query";
import { fetchReferral } from "./api";

/** The player's own code and how often it was used. */
export const referralQuery = queryOptions({
  queryKey: ["referral"],
  queryFn: fetchReferral,
  staleTime: 5 * 60_000,
  meta: { quiet: true },
});
