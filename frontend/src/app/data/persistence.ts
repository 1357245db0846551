import { hashKey, type QueryClient, type QueryKey, type QueryState } from "@tanstack/react-query";
import * as z from "zod/mini";
import { gameList } from "@/entities/game/api";
import { gamesQuery, recentGamesQuery } from "@/entities/game/queries";
import { roomList } from "@/features/chat/api";
import { roomsQuery } from "@/features/chat/queries";
import { eventList } from "@/features/events/api";
import { eventsQuery } from "@/features/events/queries";
import { notificationList } from "@/features/notifications/api";
import { notificationsQuery } from "@/features/notifications/queries";
import { tournamentList } from "@/features/tournament/api";
import { tournamentsQuery } from "@/features/tournament/queries";
import { tvList } from "@/features/tv/api";
import { tvQuery } from "@/features/tv/queries";
import { historyQuery } from "@/features/wallet/api/queries";
import { transactionList } from "@/features/wallet/api/requests";
import { onLanguageChange } from "@/lib/i18n/i18n";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { deviceStorage, tabStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

const history = z.object({ rows: transactionList, hasMore: z.boolean() });
const notifications = z.object({ rows: notificationList, hasMore: z.boolean() });

interface StoredQuery {
  readonly queryKey: QueryKey;
  /** The shape of the stored data, which is checked because an older version of the app may have written it. */
  readonly shape: z.ZodMiniType;
  /** A list of the player is stored as long as the session; a public list, by the phone. */
  readonly belongsTo: "player" | "phone";
}

/** The lists that an offline start may show. A balance is never among them: it must not be taken for the present one. */
export const storedQueries = {
  games: { queryKey: gamesQuery.queryKey, shape: gameList, belongsTo: "phone" },
  recentGames: { queryKey: recentGamesQuery.queryKey, shape: gameList, belongsTo: "player" },
  events: { queryKey: eventsQuery.queryKey, shape: eventList, belongsTo: "phone" },
  tv: { queryKey: tvQuery.queryKey, shape: tvList, belongsTo: "phone" },
  tournaments: { queryKey: tournamentsQuery.queryKey, shape: tournamentList, belongsTo: "phone" },
  rooms: { queryKey: roomsQuery.queryKey, shape: roomList, belongsTo: "player" },
  notifications: { queryKey: notificationsQuery.queryKey, shape: notifications, belongsTo: "player" },
  history: { queryKey: historyQuery.queryKey, shape: history, belongsTo: "player" },
} as const satisfies Record<string, StoredQuery>;

type Name = keyof typeof storedQueries;
const names = Object.keys(storedQueries) as readonly Name[];

export const MAX_AGE_MS = 7 * 24 * 60 * 60_000;

const PREFIX = "query:";
const entry = z.object({ uid: z.nullable(z.string()), updatedAt: z.number(), data: z.unknown() });

const uidNow = () => currentSession()?.uid ?? null;
const ownerOf = (name: Name) => (storedQueries[name].belongsTo === "player" ? uidNow() : null);
const storageOf = (name: Name) => (storedQueries[name].belongsTo === "player" ? tabStorage : deviceStorage);

function restore(client: QueryClient, name: Name): void {
  const { queryKey, shape } = storedQueries[name];
  const stored = readStored(storageOf(name), PREFIX + name, entry);
  if (!stored || stored.uid !== ownerOf(name) || Date.now() - stored.updatedAt > MAX_AGE_MS) return;
  const parsed = z.safeParse(shape, stored.data);
  if (!parsed.success) return;
  client.setQueryData(queryKey, parsed.data, { updatedAt: stored.updatedAt });
  // Mark it stale, however young it is: the data may have changed since it was stored.
  void client.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
}

function store(name: Name, data: unknown, updatedAt: number): void {
  storageOf(name).setItem(PREFIX + name, JSON.stringify({ uid: ownerOf(name), updatedAt, data }));
}

function drop(dropped: readonly Name[]): void {
  for (const name of dropped) storageOf(name).removeItem(PREFIX + name);
}

/**
 * Restores the stored lists into a client, and stores each newer one, also those that came before this call. Returns the
 * function that stops it.
 */
export function persistQueries(client: QueryClient): () => void {
  const namesOf = new Map(names.map((name) => [hashKey(storedQueries[name].queryKey), name]));
  // The cache reports a list several times, for each change of its state.
  const written = new Map<Name, number>();
  function storeOnce(name: Name, { data, dataUpdatedAt, status }: QueryState): void {
    if (status !== "success" || data === undefined || written.get(name) === dataUpdatedAt) return;
    written.set(name, dataUpdatedAt);
    store(name, data, dataUpdatedAt);
  }
  for (const name of names) {
    const held = client.getQueryState(storedQueries[name].queryKey);
    // The server's reply may have arrived before the stored list was restored.
    if (held?.data === undefined) restore(client, name);
    else storeOnce(name, held);
  }
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    const name = namesOf.get(query.queryHash);
    if (type === "updated" && name) storeOnce(name, query.state);
  });
  const forget = (forgotten: readonly Name[]) => {
    written.clear();
    drop(forgotten);
  };
  let owner = uidNow();
  const stopSession = onSessionChange(() => {
    if (uidNow() === owner) return;
    owner = uidNow();
    forget(names.filter((name) => storedQueries[name].belongsTo === "player"));
  });
  // All lists have texts in the language in which they were fetched.
  const stopLanguage = onLanguageChange(() => forget(names));
  return () => {
    unsubscribe();
    stopSession();
    stopLanguage();
  };
}
