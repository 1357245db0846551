import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { announce } from "@/lib/changes";
import { unreadQuery } from "./queries";

/** The interval of fetching while there is no live stream. */
const POLL_MS = 2 * 60_000;

/**
 * The number of unread notifications, live. Announces what came, and what was read on another device, so that the
 * screens fetch it.
 */
export function useUnread(): number {
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  const known = useRef<{ readonly unread: number; readonly newestId: string }>(undefined);
  const unread = useQuery({ ...unreadQuery, enabled: isLost, refetchInterval: isLost ? POLL_MS : false });
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const follow = async () => {
      const { watchNotifications } = await import("@/lib/live/notifications");
      if (isOver) return;
      stop = watchNotifications({
        onUpdate: (state) => {
          const before = known.current;
          known.current = state;
          client.setQueryData(unreadQuery.queryKey, state.unread);
          if (!before) return;
          if (before.newestId !== state.newestId) announce("notifications/arrived");
          else if (before.unread !== state.unread) announce("notifications/read");
        },
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
