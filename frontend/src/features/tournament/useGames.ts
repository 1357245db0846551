import { useQuery } from "@tanstack/react-query";
import type { Game } from "@/entities/game/api";
import { gamesQuery } from "@/entities/game/queries";

/** The catalogue, which provides the worlds and art of tournaments. Without it they fall back to their own. */
export function useGames(): readonly Game[] | undefined {
  return useQuery({ ...gamesQuery, meta: { quiet: true } }).data;
}
