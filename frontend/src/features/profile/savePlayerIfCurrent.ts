import type { Player } from "@/lib/session/player";
import { currentSession, savePlayer } from "@/lib/session/session";

/** Stores a profile from the server, unless the player has signed out or another one has signed in meanwhile. */
export function savePlayerIfCurrent(player: Player): void {
  if (currentSession()?.uid === player.uid) savePlayer(player);
}
