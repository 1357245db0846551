/**
 * Registers the service worker after the first page has loaded, so that filling the cache takes no bandwidth from it. A
 * newer version waits until every tab of the old one is closed, so that an update never interrupts a payment.
 */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  // Without a service worker the app still works, only not offline, and the player cannot do anything about it.
  const register = () => void navigator.serviceWorker.register("/service-worker.js").catch(() => {});
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register);
}
