import * as z from "zod/mini";
import { TvItem as tvItem } from "@/gen/api/tvItem";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type TvItem = z.infer<typeof tvItem>;

export const tvList = z.array(tvItem);

export async function fetchTv(): Promise<TvItem[]> {
  return parsePayload(tvList, await asGuest("/playon-tv/list"));
}
