import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, type InitialEntry, type RouteObject, RouterProvider } from "react-router";
import { onTestFinished } from "vitest";
import { followChanges } from "@/app/data/client";

/** Renders routes with their own router and query client. The last history entry is shown. */
export function renderRoutes(routes: RouteObject[], history: InitialEntry[]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  onTestFinished(followChanges(client));
  const router = createMemoryRouter(routes, { initialEntries: history });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

/** Renders one page at `/`. */
export function renderPage(page: ReactNode) {
  return renderRoutes([{ path: "/", element: page }], ["/"]);
}
