import * as z from "zod/mini";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const event = z.object({
  id: z.string(),
  createdAt: z.string(),
  title: z.string(),
  description: z.string(),
  eventBannerUrl: z.string(),
});

export type PlayOnEvent = z.infer<typeof event>;

export const eventList = z.array(event);

export async function fetchEvents(): Promise<PlayOnEvent[]> {
  return parsePayload(eventList, await asGuest("/events"));
}
