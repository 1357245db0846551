import type { QueryClient } from "@tanstack/react-query";
import { type LoaderFunctionArgs, matchPath } from "react-router";
import { chatPaths } from "@/app/chatPaths";
import { PLAY_PATH } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { tournamentPaths } from "@/app/tournamentPaths";
import { currentSession } from "@/lib/session/session";

interface ScreenData {
  /** Whether the calls need a signed-in player. */
  readonly needsPlayer: boolean;
  /** Loads the queries that the screen begins with, whose code is a part of the screen's, and starts them. */
  readonly start: (client: QueryClient, params: { readonly id?: string }) => Promise<unknown>;
}

async function games(client: QueryClient) {
  await client.prefetchQuery((await import("@/entities/game/queries")).gamesQuery);
}

async function tournaments(client: QueryClient) {
  await client.prefetchQuery((await import("@/features/tournament/queries")).tournamentsQuery);
}

/** The board's first page and the awards. */
async function board(client: QueryClient, id: string) {
  const { awardsQuery, boardQuery } = await import("@/features/tournament/queries");
  await Promise.all([client.prefetchInfiniteQuery(boardQuery(id)), client.prefetchQuery(awardsQuery(id))]);
}

async function events(client: QueryClient) {
  await client.prefetchQuery((await import("@/features/events/queries")).eventsQuery);
}

async function recentGames(client: QueryClient) {
  await client.prefetchQuery((await import("@/entities/game/queries")).recentGamesQuery);
}

/** One game, unless the catalogue that was fetched has it. */
async function game(client: QueryClient, id: string) {
  const { gameQuery, gamesQuery } = await import("@/entities/game/queries");
  const isKnown = client.getQueryData(gamesQuery.queryKey)?.some((each) => each.id === id);
  if (!isKnown) await client.prefetchQuery(gameQuery(id));
}

async function tv(client: QueryClient) {
  await client.prefetchQuery((await import("@/features/tv/queries")).tvQuery);
}

async function paymentMethods(client: QueryClient) {
  await client.prefetchQuery((await import("@/features/wallet/api/queries")).methodsQuery);
}

async function rooms(client: QueryClient) {
  await client.prefetchQuery((await import("@/features/chat/queries")).roomsQuery);
}

async function contacts(client: QueryClient) {
  await client.prefetchQuery((await import("@/features/support/queries")).contactsQuery);
}

/** What each screen shows first. Screens that are not named here load their data themselves. */
const dataOf: Readonly<Record<string, ScreenData>> = {
  [paths.home]: {
    needsPlayer: false,
    start: (client) => Promise.all([games(client), events(client), tournaments(client)]),
  },
  [paths.dashboard]: {
    needsPlayer: true,
    start: (client) => Promise.all([games(client), events(client), recentGames(client), tournaments(client)]),
  },
  [paths.games]: { needsPlayer: false, start: games },
  [paths.game]: {
    needsPlayer: false,
    start: (client, { id = "" }) => Promise.all([game(client, id), tournaments(client)]),
  },
  [PLAY_PATH]: { needsPlayer: false, start: (client, { id = "" }) => game(client, id) },
  [paths.feedback]: { needsPlayer: false, start: contacts },
  [paths.tv]: { needsPlayer: true, start: tv },
  [paths.tvItem]: { needsPlayer: true, start: tv },
  [paths.wallet]: {
    needsPlayer: true,
    start: async (client) => {
      const { balanceQuery, historyQuery } = await import("@/features/wallet/api/queries");
      await Promise.all([client.prefetchQuery(balanceQuery), client.prefetchQuery(historyQuery)]);
    },
  },
  // The review, one tap later, begins with the methods.
  [paths.amount]: { needsPlayer: true, start: paymentMethods },
  [paths.review]: { needsPlayer: true, start: paymentMethods },
  [paths.notifications]: {
    needsPlayer: true,
    start: async (client) =>
      client.prefetchQuery((await import("@/features/notifications/queries")).notificationsQuery),
  },
  [paths.tournaments]: {
    needsPlayer: true,
    start: (client) => Promise.all([tournaments(client), games(client)]),
  },
  [tournamentPaths.board]: {
    needsPlayer: true,
    start: (client, { id = "" }) => Promise.all([board(client, id), games(client)]),
  },
  [tournamentPaths.hallOfFame]: {
    needsPlayer: true,
    start: async (client) => client.prefetchQuery((await import("@/features/tournament/queries")).fameQuery),
  },
  [paths.chatRooms]: {
    needsPlayer: true,
    start: rooms,
  },
  [chatPaths.room]: { needsPlayer: true, start: rooms },
  [paths.subscriptions]: {
    needsPlayer: true,
    start: async (client) => {
      const { packagesQuery, subscriptionsQuery } = await import("@/features/wallet/api/queries");
      await Promise.all([client.prefetchQuery(packagesQuery), client.prefetchQuery(subscriptionsQuery)]);
    },
  },
  [paths.account]: {
    needsPlayer: true,
    start: async (client) =>
      client.prefetchQuery((await import("@/features/referral/queries")).referralQuery),
  },
};

const patterns = Object.keys(dataOf);

/** Starts the queries of a screen, unless their data is fresh. Their failures are shown by the screen. */
export async function startQueries(pathname: string): Promise<void> {
  const pattern = patterns.find((each) => matchPath(each, pathname));
  const data = pattern === undefined ? undefined : dataOf[pattern];
  if (!pattern || !data || (data.needsPlayer && !currentSession())) return;
  const params = matchPath(pattern, pathname)?.params as { readonly id?: string } | undefined;
  const { queryClient } = await import("@/app/data/client");
  await data.start(queryClient, params ?? {});
}

/** A loader that starts a screen's queries beside its code. It does not wait for them: the screen shows its skeleton. */
export function loaderOf(pattern: string) {
  return {
    loader: (args?: LoaderFunctionArgs) => {
      const pathname = args ? new URL(args.request.url).pathname : pattern;
      // The screen's own code fails for the same reason, and its boundary shows the failure.
      void startQueries(pathname).catch(() => {});
      return null;
    },
    // A dialog is a history entry of the same screen, and needs no new data.
    shouldRevalidate: () => false,
  };
}
