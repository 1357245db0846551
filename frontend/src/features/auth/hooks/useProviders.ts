import { useQuery } from "@tanstack/react-query";
import { providersQuery } from "@/features/auth/api/queries";

/** The ways to sign in that are switched on. A failure is shown in its place, so it raises no toast. */
export function useProviders() {
  return useQuery(providersQuery);
}
