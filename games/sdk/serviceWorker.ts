/** Practice works offline. Development pages have no worker. */
export function registerServiceWorker(): void {
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    navigator.serviceWorker.register("sw.js").catch(() => {
      // The game works without it.
    });
}
