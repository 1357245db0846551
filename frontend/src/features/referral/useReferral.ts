import { useQuery } from "@tanstack/react-query";
import { fetchReferral } from "@/features/referral/api";

const STALE_TIME_MS = 5 * 60_000;

export const referralKey = ["referral"];

/** The player's own code and how often it was used. A failure is shown in its place, so it raises no toast. */
export function useReferral() {
  return useQuery({
    queryKey: referralKey,
    queryFn: fetchReferral,
    staleTime: STALE_TIME_MS,
    meta: { quiet: true },
  });
}
