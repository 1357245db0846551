import * as z from "zod/mini";
import { asPlayer } from "@/lib/http/client";
import { Fault } from "@/lib/http/fault";
import { optional, payloadOf } from "@/lib/http/wire";

const room = z.object({
  id: z.string(),
  chatRoomUid: z.string(),
  name: z.string(),
  icon: optional(z.string()),
  memberCount: z.number(),
  onlineMemberCount: optional(z.number()),
});
export type Room = z.infer<typeof room>;

export async function fetchRooms(): Promise<Room[]> {
  return payloadOf(z.array(room), await asPlayer("/chat-rooms/list"));
}

const notification = z.object({
  title: z.string(),
  body: z.string(),
  createdAt: z.string(),
});
export type Notification = z.infer<typeof notification>;

/** The player's notifications; null where the gateway does not serve them yet. */
export async function fetchNotifications(): Promise<Notification[] | null> {
  try {
    return payloadOf(z.array(notification), await asPlayer("/profile/notifications"));
  } catch (cause) {
    if (cause instanceof Fault && cause.absent) return null;
    throw cause;
  }
}
