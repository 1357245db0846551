import * as z from "zod/mini";
import { serverNow } from "@/lib/clock";
import { tabStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";
import type { Tournament } from "./api";
import { roundAt } from "./model";

const keyOf = (tournamentId: string) => `runs:${tournamentId}`;
const stored = z.object({ left: z.number(), at: z.number() });

/**
 * Stores how many runs are left after the last start. The server says it in the reply to each start, and nowhere else.
 */
export function rememberRunsLeft(tournamentId: string, left: number): void {
  tabStorage.setItem(keyOf(tournamentId), JSON.stringify({ left, at: serverNow() }));
}

/** How many runs the player has left in this round; null before the first start of the round. */
export function runsLeftIn(
  tournament: Pick<Tournament, "id" | "starts" | "ends" | "rounds">,
  now: Date,
): number | null {
  const kept = readStored(tabStorage, keyOf(tournament.id), stored);
  if (!kept) return null;
  return roundAt(tournament, new Date(kept.at)).index === roundAt(tournament, now).index ? kept.left : null;
}
