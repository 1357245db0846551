import * as z from "zod/mini";
import { Game as wireGame } from "@/gen/api/game";
import { asGuest, asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

/** A gateway of the release before names no host: its games open in the app's place, as they did. */
const game = z.extend(wireGame, { hosted: z._default(z.boolean(), false) });
export type Game = z.infer<typeof game>;

export const gameList = z.array(game);

export async function fetchGames(): Promise<Game[]> {
  return parsePayload(gameList, await asGuest("/games/list"));
}

export async function fetchGame(id: string): Promise<Game> {
  return parsePayload(game, await asGuest(`/games/get/${encodeURIComponent(id)}`));
}

/** The games that the player played, last played first. */
export async function fetchRecentGames(): Promise<Game[]> {
  return parsePayload(gameList, await asPlayer("/profile/recent-games"));
}
