import * as z from "zod/mini";
import { Room as room } from "@/gen/api/room";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type Room = z.infer<typeof room>;

export const roomList = z.array(room);

export async function fetchRooms(): Promise<Room[]> {
  return parsePayload(roomList, await asPlayer("/chat-rooms/list"));
}
