import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: (string | { url: string; revision: string | null })[];
};

cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);

/** Paths that the gateway answers itself: calls, streams, provider callbacks, media, games and its own endpoints. */
const GATEWAY = [
  /^\/api\//,
  /^\/playon\./,
  /^\/hooks\//,
  /^\/media\//,
  /^\/play\//,
  /^\/\.well-known\//,
  /^\/healthz$/,
  /^\/readyz$/,
  /^\/statusz$/,
];

// Every other path is a page of the app and is served from the cache.
registerRoute(new NavigationRoute(createHandlerBoundToURL("/index.html"), { denylist: GATEWAY }));
