import * as z from "zod/mini";
import { Room as room } from "@/gen/api/room";

const passed = z.object({ room });

/** The room in a navigation state, which the list passes because it has loaded the room. */
export function passedRoom(state: unknown): z.infer<typeof room> | null {
  return passed.safeParse(state).data?.room ?? null;
}
