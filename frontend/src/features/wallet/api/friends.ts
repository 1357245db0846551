import * as z from "zod/mini";
import { PlayerId as playerId } from "@/gen/api/playerId";
import { PublicPlayer as publicPlayer } from "@/gen/api/publicPlayer";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type Friend = z.infer<typeof publicPlayer>;

/** Maximum ids per call for players. */
const MAX_IDS = 100;

/** The player with this username. @throws Fault USER_NOT_FOUND. */
export async function findFriend(username: string): Promise<Friend> {
  const { id } = parsePayload(playerId, await asPlayer(`/users/username/${encodeURIComponent(username)}`));
  return parsePayload(publicPlayer, await asPlayer(`/users/public/${encodeURIComponent(id)}`));
}

/** The public profiles of these players, in one call. Erased players are missing. */
export async function fetchFriends(ids: readonly string[]): Promise<Friend[]> {
  const some = ids.slice(0, MAX_IDS).map(encodeURIComponent).join(",");
  return parsePayload(z.array(publicPlayer), await asPlayer(`/users/public?ids=${some}`));
}
