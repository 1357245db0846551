import { useSyncExternalStore } from "react";
import type { Player } from "@/lib/session/player";
import { currentPlayer, currentSession, onSessionChange } from "@/lib/session/session";

/** The signed-in player's profile, live; null for a guest. */
export function usePlayer(): Player | null {
  return useSyncExternalStore(onSessionChange, currentPlayer, () => null);
}

export function useSignedIn(): boolean {
  return useSyncExternalStore(
    onSessionChange,
    () => currentSession() !== null,
    // Pages that are rendered at build time are a guest's.
    () => false,
  );
}
