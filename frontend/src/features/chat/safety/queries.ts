import { queryOptions } from "@tanstack/react-query";
import { fetchBlocked, fetchSendingRules } from "../api";

/** The players whose messages are hidden, the newest first. */
export const blockedQuery = queryOptions({
  queryKey: ["chat", "blocked"],
  queryFn: fetchBlocked,
  staleTime: 5 * 60_000,
});

/** The rules that keep the player from sending in a room, and when they were read. */
export const sendingQuery = (uid: string) =>
  queryOptions({
    queryKey: ["chat", "sending", uid],
    queryFn: async () => ({ ...(await fetchSendingRules(uid)), readAt: Date.now() }),
    staleTime: 0,
    // An operator may close or open the room meanwhile.
    refetchInterval: 60_000,
  });
