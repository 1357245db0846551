// Web Push in a browser whose vendor's push service no test reaches.
import { PLAYON_URL } from "./browser.mjs";
import { pushBrowser } from "./sandbox.mjs";

/** The page's browser subscribes at the sandbox, because no test reaches the push service of its vendor. */
export async function subscribeAtTheSandbox(page) {
  const { payload } = await (await fetch(`${PLAYON_URL}/api/profile/push-key`)).json();
  const made = await pushBrowser(payload.publicKey);
  await page.addInitScript((subscription) => {
    let current = null;
    const subscribed = {
      ...subscription,
      options: {},
      toJSON: () => subscription,
      unsubscribe: async () => {
        current = null;
        return true;
      },
    };
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async () => {
      current = subscribed;
      return current;
    };
  }, made.subscription);
  return made.id;
}

/** Hands a message to the page's service worker, as the browser does when its push service has one. */
export async function deliver(page, message) {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise((resolve) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const active = registrations.find(({ isDeleted }) => !isDeleted);
      if (active) resolve(active.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  const data = JSON.stringify(message);
  await session.send("ServiceWorker.deliverPushMessage", { origin: PLAYON_URL, registrationId, data });
}

/**
 * Presses the system notification that the service worker shows, and returns the path of the window that it opens. A
 * browser opens windows only for a real press, so the caller opens the page.
 */
export async function pressNotification(context) {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  return worker.evaluate(async () => {
    const opened = [];
    self.clients.openWindow = async (path) => {
      opened.push(path);
      return null;
    };
    // The browser accepts a push before the worker shows it, because the worker asks the windows first.
    const end = Date.now() + 10_000;
    let shown = [];
    while (shown.length === 0 && Date.now() < end) {
      shown = await self.registration.getNotifications();
      if (shown.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (shown.length !== 1) throw new Error(`${shown.length} notifications, not one`);
    const [notification] = shown;
    const event = new NotificationEvent("notificationclick", { notification });
    const work = [];
    // Only events of the browser itself can be extended.
    Object.defineProperty(event, "waitUntil", { value: (promise) => work.push(promise) });
    self.dispatchEvent(event);
    await Promise.all(work);
    return opened;
  });
}
