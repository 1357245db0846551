import * as z from "zod/mini";
import { asGuest } from "@/lib/http/client";
import { optional, parsePayload } from "@/lib/http/wire";

const game = z.object({
  id: z.string(),
  name: z.string(),
  packageId: z.string(),
  description: z.string(),
  gameIcon: optional(z.string()),
  featured: optional(z.boolean()),
});
export type Game = z.infer<typeof game>;

export const gameList = z.array(game);

export async function fetchGames(): Promise<Game[]> {
  return parsePayload(gameList, await asGuest("/games/list"));
}
