import { Workbox } from "workbox-window";
import { areUpdatesHeld, updateUnlessHeld } from "@/lib/updates";
import { offer } from "@/pwa/offers";

const SCRIPT = "/service-worker.js";
/** The message by which a page activates a version that waits. */
const SKIP_WAITING = { type: "SKIP_WAITING" };
/** Interval in which an app that stays open checks for a new version. Opening a page checks as well. */
const UPDATE_CHECK_MS = 60 * 60_000;

const isLocalhost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(window.location.hostname);

/**
 * Returns whether the service worker's script exists. On localhost other projects may have left a service worker on the
 * same port: without the script, the worker is removed and the page reloaded.
 */
async function hasScript(reload: () => void): Promise<boolean> {
  if (!isLocalhost) return true;
  try {
    const reply = await fetch(SCRIPT, { headers: { "Service-Worker": "script" }, cache: "no-store" });
    const type = reply.headers.get("content-type") ?? "";
    if (reply.status !== 404 && type.includes("javascript")) return true;
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration && (await registration.unregister())) reload();
    return false;
  } catch {
    // biome-ignore lint/suspicious/noConsole: the specification asks for this log
    console.info("No internet connection found. The app is running in offline mode.");
    return false;
  }
}

/** Reloads the page after another tab has activated a new version, or offers that while updates are held. */
function followOtherTabs(workbox: Workbox, reload: () => void): void {
  workbox.addEventListener("controlling", ({ isUpdate }) => {
    if (!isUpdate) return;
    if (areUpdatesHeld()) offer({ update: () => updateUnlessHeld(reload) });
    else reload();
  });
}

/**
 * Offers each version that waits. Workbox has an event only for the first update of a page, and that one fails when a
 * file did not arrive: the next check of the browser installs another worker.
 */
function offerWaiting(registration: ServiceWorkerRegistration, reload: () => void): void {
  const activate = () => {
    const worker = registration.waiting;
    // Another tab has activated the version meanwhile.
    if (!worker) return reload();
    // A page of a first visit has no controller that changes: the worker's state shows that it is active.
    worker.addEventListener("statechange", () => worker.state === "activated" && reload());
    worker.postMessage(SKIP_WAITING);
  };
  const offerIfWaiting = () => {
    // The first version of a browser waits for an instant, too, but has no version before it.
    if (registration.waiting && registration.active) offer({ update: () => updateUnlessHeld(activate) });
  };
  offerIfWaiting();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offerIfWaiting);
  });
}

/**
 * Registers the service worker after the first page has loaded, so that filling the cache takes no bandwidth from it. A
 * newer version waits until the player asks for it, or until every tab of the old one is closed.
 */
export async function registerServiceWorker(reloadPage = () => window.location.reload()): Promise<void> {
  let isReloading = false;
  // An activation causes two events in a controlled page: the worker's state changes, and the controller.
  const reload = () => {
    if (!isReloading) reloadPage();
    isReloading = true;
  };
  if (!("serviceWorker" in navigator) || !(await hasScript(reload))) return;
  const workbox = new Workbox(SCRIPT);
  followOtherTabs(workbox, reload);
  try {
    const registration = await workbox.register();
    if (registration) offerWaiting(registration, reload);
  } catch {
    // Without a service worker the app still works, only not offline, and the player cannot do anything about it.
    return;
  }
  setInterval(() => void workbox.update().catch(() => {}), UPDATE_CHECK_MS);
}
