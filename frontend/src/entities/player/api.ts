import * as z from "zod/mini";
import { PublicPlayer as publicPlayer } from "@/gen/api/publicPlayer";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const players = z.array(publicPlayer);
export type PublicPlayer = z.infer<typeof publicPlayer>;

/** Maximum ids per call. */
const MAX_IDS = 100;

/** The players with these ids, by one call for each hundred. */
export async function fetchPlayers(ids: readonly string[]): Promise<PublicPlayer[]> {
  const calls = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, async (_, call) => {
    const some = ids.slice(call * MAX_IDS, (call + 1) * MAX_IDS).map(encodeURIComponent);
    return parsePayload(players, await asPlayer(`/users/public?ids=${some.join(",")}`));
  });
  return (await Promise.all(calls)).flat();
}
