import * as z from "zod/mini";
import { Event as event } from "@/gen/api/event";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type PlayOnEvent = z.infer<typeof event>;

export const eventList = z.array(event);

export async function fetchEvents(): Promise<PlayOnEvent[]> {
  return parsePayload(eventList, await asGuest("/events"));
}
