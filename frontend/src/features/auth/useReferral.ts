import { useQuery } from "@tanstack/react-query";
import { fetchReferral } from "@/features/auth/api";

export const referralKey = ["auth", "referral"];

/** The player's own code and what has come of it. Nothing waits for it, so its failure is not told by a toast. */
export function useReferral() {
  return useQuery({
    queryKey: referralKey,
    queryFn: fetchReferral,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}
