import type { ComponentType } from "react";
import { type LazyRouteFunction, matchRoutes, type RouteObject } from "react-router";
import { ScreenError } from "@/app/layouts/ScreenError";
import { ScreenFallback } from "@/app/layouts/ScreenFallback";
import { importChunk } from "@/lib/chunk";
import { lazyComponent } from "@/ui/Lazy";

type Load = LazyRouteFunction<RouteObject>;

/** The import behind each route's `lazy`, for preloading. */
const imports = new WeakMap<object, Load>();

async function componentOf(load: Load): Promise<ComponentType> {
  const { Component } = await load();
  if (!Component) throw new Error("a screen without a component");
  return Component;
}

/**
 * The `lazy` of a route. The router would keep a failed import for ever, so this one never fails: the route then has a
 * component that shows the failure in the screen's own frame, and loads the screen when the player retries.
 */
export function lazyRoute(load: Load): Load {
  const lazy: Load = async () => {
    try {
      return await importChunk(load);
    } catch (cause) {
      const failure = cause instanceof Error ? cause : new Error(String(cause));
      return { Component: lazyComponent(() => componentOf(load), ScreenFallback, failure) };
    }
  };
  imports.set(lazy, load);
  return lazy;
}

/** Gives each screen its own error boundary, and lets a screen that failed to load be loaded again. */
export function withFallbacks(routes: readonly RouteObject[]): RouteObject[] {
  return routes.map((route) => {
    const { lazy, children, loader } = route;
    const boundary = !children || loader ? { ErrorBoundary: ScreenError } : {};
    const code = typeof lazy === "function" ? { lazy: lazyRoute(lazy) } : {};
    const inside = children ? { children: withFallbacks(children) } : {};
    return { ...route, ...boundary, ...code, ...inside } as RouteObject;
  });
}

/** Fetches the code of a page of these routes before it is opened. A failure shows when it is opened. */
export function preloadRoutes(routes: RouteObject[], pathname: string): void {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const load = typeof route.lazy === "function" ? imports.get(route.lazy) : undefined;
    if (load) importChunk(load).catch(() => {});
  }
}
