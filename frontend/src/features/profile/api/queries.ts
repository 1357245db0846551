import { queryOptions } from "@tanstack/react-query";
import { fetchProfile, freshToken } from "@/lib/session/access";

/** The profile, when the guard could not fetch it. The guard has reported the failure. */
export const missingProfileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: async () => fetchProfile(await freshToken()),
  meta: { quiet: true },
});
