import * as z from "zod/mini";
import { asPlayer } from "@/lib/http/client";
import { optional, parsePayload } from "@/lib/http/wire";

const room = z.object({
  id: z.string(),
  chatRoomUid: z.string(),
  name: z.string(),
  icon: optional(z.string()),
  memberCount: z.number(),
  onlineMemberCount: optional(z.number()),
});
export type Room = z.infer<typeof room>;

export const roomList = z.array(room);

export async function fetchRooms(): Promise<Room[]> {
  return parsePayload(roomList, await asPlayer("/chat-rooms/list"));
}
