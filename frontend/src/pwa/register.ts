/**
 * Registers the service worker after the first page stands, so that filling the cache takes no bandwidth from
 * it. A newer version waits until every tab of the old one is closed: a payment is never interrupted by an update.
 */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  // Without it the app works as before, only not offline; nothing a player could do about it.
  const register = () => void navigator.serviceWorker.register("/service-worker.js").catch(() => {});
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register);
}
