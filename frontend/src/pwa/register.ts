import { Workbox } from "workbox-window";
import { areUpdatesHeld, updateUnlessHeld } from "@/lib/updates";
import { offer } from "@/pwa/offers";

const SCRIPT = "/service-worker.js";
/** How often an app that stays open asks for a new version. Opening a page asks as well. */
const UPDATE_CHECK_MS = 60 * 60_000;

const isLocalhost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(window.location.hostname);

/**
 * On localhost other projects may have left a service worker on the same port: when the script is missing there, the
 * worker is removed and the page reloaded. Returns false then.
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
    // Another tab may have brought the new version in. This one then only needs a reload, when it is free for that.
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
