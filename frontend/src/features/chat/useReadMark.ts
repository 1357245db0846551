import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { announce } from "@/lib/changes";
import { markRoomRead } from "./api";
import { updateRoom } from "./queries";

/**
 * Records how far the player has read a room: when its newest messages are shown, when the page is hidden or shown again,
 * and when the player leaves the screen. `newest` is the number of the newest message; 0 while the messages have not
 * loaded, and for a player who is not a member.
 */
export function useReadMark(uid: string, newest: number): void {
  const client = useQueryClient();
  const mark = useRef({ newest, sent: 0 });
  // A layout effect runs before the clean-up below, which sends nothing once the player has left the room.
  useLayoutEffect(() => {
    mark.current.newest = newest;
  }, [newest]);

  const isShown = newest > 0;
  useEffect(() => {
    if (!isShown) return;
    const state = mark.current;
    const send = async () => {
      const { newest: seq, sent } = state;
      if (seq <= sent) return;
      state.sent = seq;
      updateRoom(client, uid, (room) =>
        room.membership ? { ...room, membership: { ...room.membership, unreadCount: 0 } } : room,
      );
      await markRoomRead(uid, seq).catch(() => {
        // The next call of this function repeats the mark.
        if (state.sent === seq) state.sent = sent;
      });
    };
    const onVisibility = () => void send();
    if (!document.hidden) void send();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      if (state.newest === 0) return;
      // The room's last message may be newer than the list.
      void send().then(() => announce("room/read"));
    };
  }, [client, uid, isShown]);
}
