import "@/lib/i18n/app";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { Fault } from "@/lib/http/fault";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { clearErrors, messageOf, toast } from "@/lib/toast";

const RETRIES = 2;

function tell(cause: Error, meta: Record<string, unknown> | undefined): void {
  // That the session is over is told once, on the way to the login, and not by each call that found it out.
  if (cause instanceof Fault && cause.unauthenticated) return;
  if (meta?.quiet !== true) toast.error(messageOf(cause));
}

/** A refusal stays a refusal; a lost line or a tired server is asked again. */
function mayHelpToRepeat(failures: number, cause: Error): boolean {
  const worthIt = cause instanceof Fault && !cause.refused && cause.status !== 429;
  return worthIt && failures < RETRIES;
}

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: mayHelpToRepeat, refetchOnWindowFocus: true, networkMode: "always" },
    // Never by itself: what moves money is repeated by the player, under the same key.
    mutations: { retry: false, networkMode: "always" },
  },
  queryCache: new QueryCache({ onError: (cause, query) => tell(cause, query.meta) }),
  mutationCache: new MutationCache({
    onMutate: clearErrors,
    onError: (cause, _variables, _result, mutation) => tell(cause, mutation.meta),
  }),
});

let owner = currentSession()?.uid ?? null;

// What was fetched for one player is nobody else's: neither the next one's on this phone nor a guest's.
onSessionChange(() => {
  const uid = currentSession()?.uid ?? null;
  if (uid === owner) return;
  // What a guest saw was for everyone, and may have been asked for by the very screen that signs in.
  if (owner !== null) client.clear();
  owner = uid;
});

/** Gives everything inside it the server's state. */
export function ServerState({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

export function Component() {
  return (
    <ServerState>
      <Outlet />
    </ServerState>
  );
}
