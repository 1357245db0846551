import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { Fault } from "@/lib/http/fault";
import { recoveryInterval, retryDelay, shouldRetry } from "@/lib/recovery";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { clearErrors, messageOf, toast } from "@/lib/toast";

function showError(cause: Error, meta: Record<string, unknown> | undefined): void {
  // The root layout reports an ended session once, so the calls that failed because of it stay silent.
  if (cause instanceof Fault && cause.unauthenticated) return;
  if (meta?.quiet !== true) toast.error(messageOf(cause));
}

/** Queries whose error has been shown. An outage is reported once, however often its query is repeated. */
const reported = new WeakSet<object>();

const client = new QueryClient({
  defaultOptions: {
    queries: {
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
      showError(cause, query.meta);
    },
  }),
  mutationCache: new MutationCache({
    onMutate: clearErrors,
    onError: (cause, _variables, _result, mutation) => showError(cause, mutation.meta),
  }),
});

let owner = currentSession()?.uid ?? null;

// Cached data belongs to the player it was fetched for, not to the next player or a guest on this phone.
onSessionChange(() => {
  const uid = currentSession()?.uid ?? null;
  if (uid === owner) return;
  // A guest's data is public, and the sign-in screen may be using it.
  if (owner !== null) client.clear();
  owner = uid;
});

/** Provides the query client. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

export function Component() {
  return (
    <QueryProvider>
      <Outlet />
    </QueryProvider>
  );
}
