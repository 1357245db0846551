import * as z from "zod/mini";
import { PlaySession as wireSession } from "@/gen/api/playSession";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export interface SessionRequest {
  readonly gameId: string;
  readonly tournamentId: string | null;
  /** The level; null leaves it to the server, because in a tournament everybody plays the same one. */
  readonly level: number | null;
}

/** The part of a play session that the app needs: the ticket itself is the game's. */
const playSession = z.pick(wireSession, { gameUrl: true });
export type PlaySession = z.infer<typeof playSession>;

/** Opens a single-use play session. Its URL carries the ticket. */
export async function startSession({ gameId, tournamentId, level }: SessionRequest): Promise<PlaySession> {
  const body = {
    ...(tournamentId === null ? {} : { tournamentId }),
    ...(level === null ? {} : { level }),
  };
  const path = `/games/${encodeURIComponent(gameId)}/sessions`;
  return parsePayload(playSession, await asPlayer(path, { method: "POST", body }));
}
