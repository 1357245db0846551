import { useQuery } from "@tanstack/react-query";
import { referralQuery } from "./queries";

/** The player's own code and how often it was used. A failure is shown in its place, so it raises no toast. */
export function useReferral() {
  return useQuery(referralQuery);
}
