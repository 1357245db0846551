import { useQuery } from "@tanstack/react-query";
import type { Game } from "@/entities/game/api";
import { gamesQuery } from "@/entities/game/queries";

/** The catalogue, whose worlds and art the tournaments have. Without it they have their own. */
export function useGames(): readonly Game[] | undefined {
  return useQuery({ ...gamesQuery, meta: { quiet: true } }).data;
}
