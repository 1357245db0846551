import type { NotificationsWatch } from "@/lib/live/notifications";
import type { PaymentWatch } from "@/lib/live/payments";
import type { watchRoom as watchRealRoom } from "@/lib/live/rooms";
import type { StandingWatch } from "@/lib/live/standings";

/**
 * A stub of the payment stream that the test controls. The test files of a worker share their modules, so each of them
 * mocks `@/lib/live/payments` with this one: `vi.mock(…, () => import("@/test/live"))`.
 */
export const live = {
  /** The callbacks of the latest subscription. */
  watch: null as PaymentWatch | null,
  stopped: 0,
  subscriptions: 0,
  /** How many times loading the stream's code still fails. */
  failedLoads: 0,
};

export function resetLive(): void {
  Object.assign(live, { watch: null, stopped: 0, subscriptions: 0, failedLoads: 0 });
}

export function watchPayment(_paymentId: string, watch: PaymentWatch): () => void {
  live.subscriptions += 1;
  if (live.failedLoads-- > 0) throw new TypeError("Failed to fetch dynamically imported module");
  live.watch = watch;
  return () => {
    live.stopped += 1;
  };
}

/** A stub of the notifications' stream, for `vi.mock("@/lib/live/notifications", …)`. */
export const notificationsLive = {
  watch: null as NotificationsWatch | null,
  /** Sends a state. */
  say(unread: number, newestId: string): void {
    const state = { $typeName: "playon.live.v1.NotificationsUpdate", unread, newestId } as const;
    notificationsLive.watch?.onUpdate(state);
  },
};

export function resetNotificationsLive(): void {
  notificationsLive.watch = null;
}

export function watchNotifications(watch: NotificationsWatch): () => void {
  notificationsLive.watch = watch;
  return () => {};
}

interface Place {
  readonly rank: number;
  readonly points: number;
  readonly players: number;
  readonly settled?: boolean;
}

/** A stub of the standings' stream, for `vi.mock("@/lib/live/standings", …)`. */
export const standingsLive = {
  watches: new Map<string, StandingWatch>(),
  /** Sends the player's place; rank 0 is none. */
  say(tournamentId: string, { rank, points, players, settled = false }: Place): void {
    standingsLive.watches.get(tournamentId)?.onUpdate({
      $typeName: "playon.live.v1.StandingUpdate",
      tournamentId,
      rank: BigInt(rank),
      points,
      players: BigInt(players),
      bestPoints: points,
      settled,
    });
  },
};

export function watchStanding(tournamentId: string, watch: StandingWatch): () => void {
  standingsLive.watches.set(tournamentId, watch);
  return () => void standingsLive.watches.delete(tournamentId);
}

/** A stub of the rooms' stream, for `vi.mock("@/lib/live/rooms", …)`. */
export const roomLive = {
  /** The callbacks of the latest subscription; null after its end. */
  watch: null as Parameters<typeof watchRealRoom>[2] | null,
  /** Where each subscription started. */
  after: [] as bigint[],
};

export function resetRoomLive(): void {
  Object.assign(roomLive, { watch: null, after: [] });
}

export const watchRoom: typeof watchRealRoom = (_roomUid, after, watch) => {
  roomLive.watch = watch;
  roomLive.after.push(after);
  return () => {
    if (roomLive.watch === watch) roomLive.watch = null;
  };
};
