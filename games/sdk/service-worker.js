// The build writes the cache's name and the list of files into this text (tools/build.mjs).
const CACHE = "__CACHE__";
const PREFIX = "__PREFIX__";
const FILES = "__FILES__";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith(PREFIX) && name !== CACHE)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

// Files with a digest in their name come from the cache. The page and the rules come from the network first, so that a new build and a
// session's rules are the server's; without a network the cached ones serve practice.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  const bare = new Request(url.origin + url.pathname);
  if (url.pathname.includes("/assets/")) {
    event.respondWith(caches.match(bare).then((kept) => kept ?? fetch(request)));
  } else if (request.mode === "navigate" || url.pathname.endsWith("/rules.wasm")) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(bare)) ?? Response.error()));
  }
});
