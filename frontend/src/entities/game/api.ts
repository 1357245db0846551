import * as z from "zod/mini";
import { Game as game } from "@/gen/api/game";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type Game = z.infer<typeof game>;

export const gameList = z.array(game);

export async function fetchGames(): Promise<Game[]> {
  return parsePayload(gameList, await asGuest("/games/list"));
}
