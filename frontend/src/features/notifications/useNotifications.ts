import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fetchNotifications, markRead, type Notification } from "./api";
import { withOlder } from "./list";
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
 * Marks the notifications that are on the screen as read. Returns whether one is new: those that came unread keep their
 * mark until the player leaves.
 */
export function useMarkRead(rows: readonly Notification[]): (notification: Notification) => boolean {
  const client = useQueryClient();
  const marked = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: markRead,
    onSuccess: (_, ids) =>
      client.setQueryData(unreadQuery.queryKey, (unread) => unread && Math.max(0, unread - ids.length)),
    // They stay unread, and the next visit marks them.
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
