/** Registers the service worker, so that practice works offline. Development pages have none. */
export function registerServiceWorker(): void {
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    navigator.serviceWorker.register("sw.js").catch(() => {
      // The game works without a service worker.
    });
}
