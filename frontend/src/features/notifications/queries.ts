import { queryOptions } from "@tanstack/react-query";
import { fetchNotifications, fetchUnread } from "./api";
import { type NotificationPages, withNewest } from "./list";

/** Stale time of the list. The live stream announces what is new; this applies when the stream is lost. */
const STALE_MS = 5 * 60_000;

/** The player's notifications. Only the newest page is ever fetched again; `useNotifications` adds older ones on request. */
export const notificationsQuery = queryOptions({
  queryKey: ["notifications", "list"],
  queryFn: async ({ client, queryKey }) => {
    const newest = await fetchNotifications();
    // Read the list after the reply: older rows may have been added meanwhile.
    return withNewest(client.getQueryData<NotificationPages>(queryKey), newest);
  },
  staleTime: STALE_MS,
});

/** The number of unread notifications. The live stream sets it; it is fetched only without one. */
export const unreadQuery = queryOptions({
  queryKey: ["notifications", "unread"],
  queryFn: fetchUnread,
  staleTime: STALE_MS,
  meta: { quiet: true },
});
