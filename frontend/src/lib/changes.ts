/**
 * The changes of the player's data on the server: the end of a mutation, or a live event. The table in
 * `app/data/staleQueries.ts` names the queries that each change makes stale.
 */
export const CHANGES = [
  "wallet/moved",
  "subscription/bought",
  "payout-phone/proven",
  "referral/changed",
  "referral/redeemed",
  "notifications/arrived",
  "notifications/read",
  "game/played",
  "board/moved",
  "tournament/settled",
  "room/joined",
  "room/left",
  "room/read",
] as const;
export type Change = (typeof CHANGES)[number];

type Listener = (change: Change) => void;
const listeners = new Set<Listener>();

/** Announces a change, so that queries which it made stale are fetched again. */
export function announce(change: Change): void {
  for (const listener of listeners) listener(change);
}

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
