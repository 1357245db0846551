import { queryOptions } from "@tanstack/react-query";
import { fetchProviders } from "./requests";

/** The ways to sign in that are switched on. A failure is shown in its place. */
export const providersQuery = queryOptions({
  queryKey: ["auth", "providers"],
  queryFn: fetchProviders,
  staleTime: 5 * 60_000,
  meta: { quiet: true },
});
