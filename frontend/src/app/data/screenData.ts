import type { QueryClient } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { currentSession } from "@/lib/session/session";

interface ScreenData {
  /** The calls need a signed-in player. */
  readonly needsPlayer: boolean;
  /** Loads the queries that the screen begins with, whose code is a part of the screen's, and starts them. */
  readonly start: (client: QueryClient) => Promise<unknown>;
}

async function games(client: QueryClient) {
  await client.prefetchQuery((await import("@/entities/game/queries")).gamesQuery);
}

/** What each screen shows first. Screens that are not named here load their data themselves. */
const dataOf: Readonly<Record<string, ScreenData>> = {
  [paths.home]: { needsPlayer: false, start: games },
  [paths.dashboard]: { needsPlayer: true, start: games },
  [paths.wallet]: {
    needsPlayer: true,
    start: async (client) => {
      const { balanceQuery, historyQuery } = await import("@/features/wallet/api/queries");
      await Promise.all([client.prefetchQuery(balanceQuery), client.prefetchQuery(historyQuery)]);
    },
  },
  // The method sheet of the next but one tap.
  [paths.amount]: {
    needsPlayer: true,
    start: async (client) =>
      client.prefetchQuery((await import("@/features/wallet/api/queries")).methodsQuery),
  },
  [paths.tournaments]: {
    needsPlayer: true,
    start: async (client) =>
      client.prefetchQuery((await import("@/features/tournament/queries")).tournamentsQuery),
  },
  [paths.notifications]: {
    needsPlayer: true,
    start: async (client) =>
      client.prefetchQuery((await import("@/features/notifications/queries")).notificationsQuery),
  },
  [paths.chatRooms]: {
    needsPlayer: true,
    start: async (client) => client.prefetchQuery((await import("@/features/chat/queries")).roomsQuery),
  },
  [paths.account]: {
    needsPlayer: true,
    start: async (client) =>
      client.prefetchQuery((await import("@/features/referral/queries")).referralQuery),
  },
};

/** Starts the queries of a screen, unless their data is fresh. Their failures are shown by the screen. */
export async function startQueries(pathname: string): Promise<void> {
  const data = dataOf[pathname];
  if (!data || (data.needsPlayer && !currentSession())) return;
  const { queryClient } = await import("@/app/data/client");
  await data.start(queryClient);
}

/** A loader that starts a screen's queries beside its code. It does not wait for them: the screen shows its skeleton. */
export function loaderOf(pathname: string) {
  return {
    loader: () => {
      // The screen's own code fails for the same reason, and its boundary says so.
      void startQueries(pathname).catch(() => {});
      return null;
    },
    // The same screen with a dialog, which is a history entry, needs no new data.
    shouldRevalidate: () => false,
  };
}
