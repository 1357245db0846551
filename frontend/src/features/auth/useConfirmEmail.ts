import { useQuery } from "@tanstack/react-query";
import { confirmEmail } from "@/features/auth/api";

/**
 * Confirms an email with the token of its mail. A query although it is a POST: repeating it gives the same result, so it
 * can be retried after a lost connection.
 */
export function useConfirmEmail(token: string) {
  return useQuery({
    queryKey: ["auth", "confirmEmail", token],
    queryFn: () => confirmEmail(token),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
}
