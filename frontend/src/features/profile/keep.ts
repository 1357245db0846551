import type { Player } from "@/lib/session/player";
import { currentSession, savePlayer } from "@/lib/session/session";

/** Keeps what the server says of the player, unless another one, or nobody, is signed in by the time it says so. */
export function keepPlayer(player: Player): void {
  if (currentSession()?.uid === player.uid) savePlayer(player);
}
