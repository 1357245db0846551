import { useQuery } from "@tanstack/react-query";
import { confirmEmail } from "@/features/auth/api";

/**
 * Confirms an address by the token of its mail. A query, though it is a POST: the same token has the same outcome
 * again, so a lost line is simply asked once more.
 */
export function useConfirmEmail(token: string) {
  return useQuery({
    queryKey: ["auth", "confirmEmail", token],
    queryFn: () => confirmEmail(token),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
}
