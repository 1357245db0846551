import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { announce } from "@/lib/changes";
import { currentSession } from "@/lib/session/session";
import { notificationsQuery, unreadQuery } from "./queries";

/** The interval of fetching while there is no live stream. */
const POLL_MS = 2 * 60_000;

interface State {
  readonly unread: number;
  readonly newestId: string;
}

/** The player's last state, which outlives the screens with a tab bar: notifications may arrive while none is shown. */
const known = new WeakMap<QueryClient, State & { readonly uid: string | undefined }>();

function receive(client: QueryClient, { unread, newestId }: State): void {
  const uid = currentSession()?.uid;
  const last = known.get(client);
  const before = last?.uid === uid ? last : undefined;
  known.set(client, { uid, unread, newestId });
  // A reply that is still on its way may be older.
  void client.cancelQueries({ queryKey: unreadQuery.queryKey });
  client.setQueryData(unreadQuery.queryKey, unread);
  if (before && before.newestId !== newestId) {
    announce("notifications/arrived");
    return;
  }
  // A list of an earlier visit may lack the newest notification, too.
  const list = client.getQueryData(notificationsQuery.queryKey);
  const isBehind = list !== undefined && (list.rows[0]?.id ?? "") !== newestId;
  if (isBehind || (before && before.unread !== unread)) announce("notifications/read");
}

/**
 * The number of unread notifications, live. Announces new notifications, and reads on another device, so that the
 * screens fetch the list.
 */
export function useUnread(): number {
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  const unread = useQuery({ ...unreadQuery, enabled: isLost, refetchInterval: isLost ? POLL_MS : false });
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const follow = async () => {
      const { watchNotifications } = await import("@/lib/live/notifications");
      if (isOver) return;
      stop = watchNotifications({
        onUpdate: (state) => receive(client, state),
        onRefused: () => setLost(true),
        onLost: () => setLost(true),
        onLive: (isLive) => setLost(!isLive),
      });
    };
    follow().catch(() => {
      if (!isOver) setLost(true);
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [client]);
  return unread.data ?? 0;
}
