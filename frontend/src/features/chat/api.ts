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

export async function fetchRooms(): Promise<Room[]> {
  return parsePayload(z.array(room), await asPlayer("/chat-rooms/list"));
}
