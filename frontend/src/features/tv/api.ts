import * as z from "zod/mini";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const tvItem = z.object({
  id: z.string(),
  channelUrl: z.string(),
  title: z.string(),
  primary: z.boolean(),
  createdAt: z.string(),
});

export type TvItem = z.infer<typeof tvItem>;

export const tvList = z.array(tvItem);

export async function fetchTv(): Promise<TvItem[]> {
  return parsePayload(tvList, await asGuest("/playon-tv/list"));
}
