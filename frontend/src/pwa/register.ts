import { Workbox } from "workbox-window";
import { areUpdatesHeld, updateUnlessHeld } from "@/lib/updates";
import { offer } from "@/pwa/offers";

const SCRIPT = "/service-worker.js";
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

function offerUpdate(workbox: Workbox, reload: () => void): void {
  let isOurs = false;
  const applied = () => {
    // If another tab has activated the new version, this tab only needs a reload, when updates are not held.
    if (isOurs || !areUpdatesHeld()) reload();
    else offer({ update: () => updateUnlessHeld(reload) });
  };
  workbox.addEventListener("controlling", ({ isUpdate }) => isUpdate && applied());
  workbox.addEventListener("waiting", () =>
    offer({
      update: () =>
        updateUnlessHeld(() => {
          isOurs = true;
          workbox.messageSkipWaiting();
        }),
    }),
  );
}

/**
 * Registers the service worker after the first page has loaded, so that filling the cache takes no bandwidth from it. A
 * newer version waits until the player asks for it, or until every tab of the old one is closed.
 */
export async function registerServiceWorker(reload = () => window.location.reload()): Promise<void> {
  if (!("serviceWorker" in navigator) || !(await hasScript(reload))) return;
  const workbox = new Workbox(SCRIPT);
  offerUpdate(workbox, reload);
  try {
    await workbox.register();
  } catch {
    // Without a service worker the app still works, only not offline, and the player cannot do anything about it.
    return;
  }
  setInterval(() => void workbox.update().catch(() => {}), UPDATE_CHECK_MS);
}
