import type { PublicPlayer } from "@/gen/api/publicPlayer";
import type { Player } from "@/lib/session/player";

/** The data of a player that screens show. The email is known for the signed-in player only. */
export type ShownPlayer = Pick<PublicPlayer, "name" | "profilePic"> & Partial<Pick<Player, "email">>;

/** The name to show for a player; the email while the player's own profile has no name. */
export function playerName(player: ShownPlayer | null): string | null {
  return player?.name ?? player?.email ?? null;
}
