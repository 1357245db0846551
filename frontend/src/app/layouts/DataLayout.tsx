import "@/lib/i18n/app";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { Fault } from "@/lib/http/fault";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { clearErrors, messageOf, toast } from "@/lib/toast";

const RETRIES = 2;

function showError(cause: Error, meta: Record<string, unknown> | undefined): void {
  // The root layout reports an ended session once, so the calls that failed because of it stay silent.
  if (cause instanceof Fault && cause.unauthenticated) return;
  if (meta?.quiet !== true) toast.error(messageOf(cause));
}

/** Retries lost connections and server errors, but no refusals and no rate limits. */
function shouldRetry(failures: number, cause: Error): boolean {
  const isTransient = cause instanceof Fault && !cause.refused && cause.status !== 429;
  return isTransient && failures < RETRIES;
}

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, refetchOnWindowFocus: true, networkMode: "always" },
    // No automatic retry: the player repeats calls that move money, with the same idempotency key.
    mutations: { retry: false, networkMode: "always" },
  },
  queryCache: new QueryCache({ onError: (cause, query) => showError(cause, query.meta) }),
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
