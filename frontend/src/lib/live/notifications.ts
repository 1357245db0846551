import type { NotificationsUpdate } from "@/gen/playon/live/v1/live_pb";
import type { TopicWatch } from "@/lib/live/hub";
import { live, notificationsTopic } from "@/lib/live/topics";

export type NotificationsWatch = TopicWatch<NotificationsUpdate>;

/** Subscribes to the state of the player's notifications: the current one, then each change. Returns the unsubscribe function. */
export function watchNotifications(watch: NotificationsWatch): () => void {
  return live.subscribe(notificationsTopic, {
    ...watch,
    onUpdate: (update) => {
      if (update.$typeName === "playon.live.v1.NotificationsUpdate") watch.onUpdate(update);
    },
  });
}
