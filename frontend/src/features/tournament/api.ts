import * as z from "zod/mini";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const instant = z.pipe(
  z.string(),
  z.transform((text: string) => new Date(text)),
);

const tournament = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  gameId: z.string(),
  starts: instant,
  ends: instant,
});
export type Tournament = z.infer<typeof tournament>;

export const tournamentList = z.array(tournament);

export async function fetchTournaments(): Promise<Tournament[]> {
  return parsePayload(tournamentList, await asGuest("/tournaments"));
}
