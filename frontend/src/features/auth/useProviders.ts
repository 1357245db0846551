import { useQuery } from "@tanstack/react-query";
import { fetchProviders } from "@/features/auth/api";

const STALE_TIME_MS = 5 * 60_000;

/** The ways to sign in that are switched on. A failure is shown in its place, so it raises no toast. */
export function useProviders() {
  return useQuery({
    queryKey: ["auth", "providers"],
    queryFn: fetchProviders,
    staleTime: STALE_TIME_MS,
    meta: { quiet: true },
  });
}
