import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst } from "workbox-strategies";
import { handlePushes } from "./push";

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: (string | { url: string; revision: string | null })[];
};

// A new version waits until the player takes it: `pwa/register.ts` sends this message.
self.addEventListener("message", ({ data }) => {
  if (data?.type === "SKIP_WAITING") void self.skipWaiting();
});

handlePushes(self);

cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);

// Texts are cached as they are loaded, so that a phone stores one language. Their names change with their content.
registerRoute(({ url }) => url.pathname.startsWith("/assets/texts/"), new CacheFirst({ cacheName: "texts" }));

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
