import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fetchNotifications, markRead, type Notification } from "./api";
import { withOlder, withRead } from "./list";
import { notificationsQuery, unreadQuery } from "./queries";

/** How long notifications are on the screen before they count as read. */
export const READ_AFTER_MS = 1_000;

/** The player's notifications, and the means to add older ones. */
export function useNotifications() {
  const client = useQueryClient();
  const list = useQuery(notificationsQuery);
  const older = useMutation({
    mutationFn: async () =>
      fetchNotifications(client.getQueryData(notificationsQuery.queryKey)?.rows.at(-1)?.id),
    onSuccess: (page) =>
      client.setQueryData(notificationsQuery.queryKey, (known) => known && withOlder(known, page)),
  });
  return { list, older };
}

/**
 * Takes over what the server has marked. Only the server knows the number of unread ones: there may be more than are
 * loaded.
 */
function applyRead(client: QueryClient, ids: readonly string[]): void {
  const { queryKey } = notificationsQuery;
  const state = client.getQueryState(queryKey);
  if (state?.data) {
    // Mark them in the cached list, so that they are not marked again. The list keeps its age.
    client.setQueryData(queryKey, withRead(state.data, ids), { updatedAt: state.dataUpdatedAt });
  }
  if (state?.isInvalidated) void client.invalidateQueries({ queryKey, refetchType: "none" });
  // The live stream sends the number. Without a stream it is fetched; with one the query is disabled.
  void client.invalidateQueries({ queryKey: unreadQuery.queryKey });
}

/**
 * Marks the notifications that are on the screen as read. Returns a function that says whether one is new:
 * notifications that came unread keep their mark until the player leaves.
 */
export function useMarkRead(rows: readonly Notification[]): (notification: Notification) => boolean {
  const client = useQueryClient();
  const marked = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: markRead,
    onSuccess: (_, ids) => applyRead(client, ids),
    // The notifications stay unread, and the next visit marks them.
    meta: { quiet: true },
  });
  const unread = rows.filter(({ id, read }) => !read && !marked.current.has(id)).map(({ id }) => id);
  const ids = unread.join();
  useEffect(() => {
    if (!ids) return;
    const timer = setTimeout(() => {
      const seen = ids.split(",");
      for (const id of seen) marked.current.add(id);
      mutate(seen);
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [ids, mutate]);
  return ({ id, read }) => !read || marked.current.has(id);
}
