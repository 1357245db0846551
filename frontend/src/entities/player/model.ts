import type { PublicPlayer } from "@/gen/api/publicPlayer";
import type { Player } from "@/lib/session/player";

/** What screens show of a player. The email is known of the signed-in player alone. */
export type ShownPlayer = Pick<PublicPlayer, "name" | "profilePic"> & Partial<Pick<Player, "email">>;

/** How a player is called: by name, or by email while the own profile has none. */
export function playerName(player: ShownPlayer | null): string | null {
  return player?.name ?? player?.email ?? null;
}
