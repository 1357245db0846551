import { queryOptions } from "@tanstack/react-query";
import { confirmEmail, fetchProviders } from "./requests";

/** The ways to sign in that are switched on. A failure is shown in its place. */
export const providersQuery = queryOptions({
  queryKey: ["auth", "providers"],
  queryFn: fetchProviders,
  staleTime: 5 * 60_000,
  meta: { quiet: true },
});

/**
 * Confirms an email with the token of its mail. A query although it is a POST: repeating it gives the same result, so it
 * can be retried after a lost connection.
 */
export function confirmEmailQuery(token: string) {
  return queryOptions({
    queryKey: ["auth", "confirmEmail", token],
    queryFn: () => confirmEmail(token),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
}
