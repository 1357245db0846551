import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { announce } from "@/lib/changes";
import { markRoomRead } from "./api";
import { updateRoom } from "./queries";

/**
 * Records how far the player has read a room: once its newest messages are shown, and again when the player leaves the
 * room or puts the app away. `newest` is the number of the newest message, 0 before it is known. A mark that is lost is
 * made good by the next one.
 */
export function useReadMark(uid: string, newest: number): void {
  const client = useQueryClient();
  const mark = useRef({ newest: 0, marked: 0 });
  const isShown = newest > 0;

  useEffect(() => {
    mark.current.newest = newest;
  }, [newest]);

  useEffect(() => {
    if (!isShown) return;
    const state = mark.current;
    const send = async () => {
      if (state.marked >= state.newest) return;
      state.marked = state.newest;
      updateRoom(client, uid, (room) =>
        room.membership ? { ...room, membership: { ...room.membership, unreadCount: 0 } } : room,
      );
      await markRoomRead(uid, state.newest);
    };
    const sendQuietly = () => void send().catch(() => {});
    const onVisibility = () => {
      if (document.hidden) sendQuietly();
    };
    sendQuietly();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      // The list shows the room's last message, which may be newer than the list.
      send().then(
        () => announce("room/read"),
        () => {},
      );
    };
  }, [client, uid, isShown]);
}
