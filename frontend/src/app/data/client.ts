import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { announce, type Change, onChange } from "@/lib/changes";
import { Fault } from "@/lib/http/fault";
import { recoveryInterval, retryDelay, shouldRetry } from "@/lib/recovery";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { clearErrors, messageOf, toast } from "@/lib/toast";

/** Stale time of queries without one of their own: a quick return to a screen does not fetch again. */
const DEFAULT_STALE_MS = 60_000;

type Quiet = boolean | ((cause: Error) => boolean);

function showError(cause: Error, quiet: Quiet = false): void {
  // The root layout reports an ended session once, so the calls that failed because of it stay silent.
  if (cause instanceof Fault && cause.unauthenticated) return;
  const isQuiet = typeof quiet === "function" ? quiet(cause) : quiet;
  if (!isQuiet) toast.error(messageOf(cause));
}

/** Queries whose error has been shown. An outage is reported once, however often its query is repeated. */
const reported = new WeakSet<object>();

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: DEFAULT_STALE_MS,
      retry: shouldRetry,
      retryDelay,
      refetchInterval: recoveryInterval,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
      networkMode: "always",
    },
    // No automatic retry: the player repeats calls that move money, with the same idempotency key.
    mutations: { retry: false, networkMode: "always" },
  },
  queryCache: new QueryCache({
    onSuccess: (_data, query) => void reported.delete(query),
    onError: (cause, query) => {
      if (reported.has(query)) return;
      reported.add(query);
      showError(cause, query.meta?.quiet);
    },
  }),
  mutationCache: new MutationCache({
    onMutate: clearErrors,
    onSuccess: (_data, _variables, _result, { meta }) => {
      if (meta?.change) announce(meta.change);
    },
    onError: (cause, _variables, _result, { meta }) => showError(cause, meta?.quiet),
  }),
});

/** Makes the queries of a change stale. Those that are on the screen are fetched again at once. */
async function invalidate(client: QueryClient, change: Change): Promise<void> {
  // The table is loaded with the first change, because it names queries of several features.
  const table = await import("./staleQueries").catch(() => null);
  if (table === null) await client.invalidateQueries();
  else
    await Promise.all(table.staleQueries[change].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Keeps a client's data up to date with the changes that are announced. Returns the function that stops it. */
export function followChanges(client: QueryClient): () => void {
  return onChange((change) => void invalidate(client, change));
}

followChanges(queryClient);

let owner = currentSession()?.uid ?? null;

// Cached data belongs to the player it was fetched for, not to the next player or a guest on this phone.
onSessionChange(() => {
  const uid = currentSession()?.uid ?? null;
  if (uid === owner) return;
  // A guest's data is public, and the sign-in screen may be using it.
  if (owner !== null) queryClient.clear();
  owner = uid;
});
