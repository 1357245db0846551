import { useQuery } from "@tanstack/react-query";
import { fetchReferral } from "@/features/referral/api";

const FRESH_MS = 5 * 60_000;

export const referralKey = ["referral"];

/** The player's own code and what has come of it. Nothing waits for it, so a failure is told where it would stand. */
export function useReferral() {
  return useQuery({
    queryKey: referralKey,
    queryFn: fetchReferral,
    staleTime: FRESH_MS,
    meta: { quiet: true },
  });
}
