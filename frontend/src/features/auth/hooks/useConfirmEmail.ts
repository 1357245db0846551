import { useQuery } from "@tanstack/react-query";
import { confirmEmailQuery } from "@/features/auth/api/queries";

/** Confirms an email with the token of its mail. */
export function useConfirmEmail(token: string) {
  return useQuery(confirmEmailQuery(token));
}
