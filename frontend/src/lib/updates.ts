import { useEffect, useSyncExternalStore } from "react";

/**
 * The name of a Web Lock: a new version of the app replaces the old one in all tabs at once, so every tab that must not
 * be interrupted holds the lock in shared mode, and an update needs it exclusively.
 */
const LOCK = "no-update-now";

let holds = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  holds += by;
  for (const listener of listeners) listener();
}

/** Keeps updates away until the returned function is called: for a payment, or a game that is being played. */
export function holdUpdates(): () => void {
  change(1);
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Old browsers have no locks: there, only this tab is protected.
  void navigator.locks?.request(LOCK, { mode: "shared" }, () => released);
  let isHeld = true;
  return () => {
    if (isHeld) change(-1);
    isHeld = false;
    release();
  };
}

/** Keeps updates away while the component is mounted. */
export function useHoldUpdates(): void {
  useEffect(holdUpdates, []);
}

/** Whether this tab keeps updates away. */
export function useUpdatesHeld(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    areUpdatesHeld,
    areUpdatesHeld,
  );
}

export function areUpdatesHeld(): boolean {
  return holds > 0;
}

/** Runs an update unless any tab keeps updates away. Returns whether it ran. */
export async function updateUnlessHeld(update: () => Promise<void> | void): Promise<boolean> {
  if (areUpdatesHeld()) return false;
  if (!navigator.locks) {
    await update();
    return true;
  }
  return navigator.locks.request(LOCK, { mode: "exclusive", ifAvailable: true }, async (lock) => {
    if (lock) await update();
    return lock !== null;
  });
}
