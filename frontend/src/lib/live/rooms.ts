import type { TopicWatch } from "@/lib/live/hub";
import { live, type RoomUpdate, roomTopic } from "@/lib/live/topics";

export type { RoomUpdate };

const isRoomUpdate = (update: { readonly $typeName: string }): update is RoomUpdate =>
  update.$typeName === "playon.live.v1.ChatMessage" ||
  update.$typeName === "playon.live.v1.MessageRemoved" ||
  update.$typeName === "playon.live.v1.RoomPresence";

/**
 * Subscribes to a room: the messages after `after`, which is the newest one on the screen, then each new one, without a
 * gap and without a repeat. Returns the unsubscribe function.
 */
export function watchRoom(roomUid: string, after: bigint, watch: TopicWatch<RoomUpdate>): () => void {
  return live.subscribe(roomTopic(roomUid, after), {
    ...watch,
    onUpdate: (update) => {
      if (isRoomUpdate(update)) watch.onUpdate(update);
    },
  });
}
