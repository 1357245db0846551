import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { queryClient } from "@/app/data/client";

/**
 * The delay before the stored lists are restored: after the first screen's own requests, and before these are given up.
 */
const RESTORE_AFTER_MS = 1_000;

async function restoreLists(): Promise<void> {
  const { persistQueries } = await import("@/app/data/persistence");
  persistQueries(queryClient);
}

setTimeout(() => void restoreLists().catch(() => {}), navigator.onLine ? RESTORE_AFTER_MS : 0);

/** Provides the query client. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

export function Component() {
  return (
    <QueryProvider>
      <Outlet />
    </QueryProvider>
  );
}
