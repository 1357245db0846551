/** Push messages and presses of their notifications, in the service worker. */

interface Push {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

/** Time within which a visible window must say that it shows a push itself. */
const ANSWER_MS = 1_000;
const ICON = "/icons/icon-192.png";
/** Android's status bar draws what is not transparent of it in one colour. */
const BADGE = "/icons/monochrome-192.png";

/** A push without a readable message is announced as such: browsers demand a notification for each push. */
function read(data: PushMessageData | null, name: string): Push {
  try {
    const { id, title, body, url } = (data?.json() ?? {}) as Partial<Record<keyof Push, unknown>>;
    if (typeof id === "string" && typeof title === "string" && typeof body === "string") {
      return { id, title, body, url: typeof url === "string" ? url : "/notifications" };
    }
  } catch {
    // The message is not JSON.
  }
  return { id: "push", title: name, body: "", url: "/notifications" };
}

/** Whether the window says that it shows the push. It may be of a version that cannot, or not be ready yet. */
function isShownBy(client: WindowClient, push: Push): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), ANSWER_MS);
    client.postMessage({ type: "PUSHED", push }, [port2]);
  });
}

/**
 * Returns the app's windows, the last used one first. They include those of a first visit and of a hard reload, which
 * no worker controls. They are not claimed: a page of an older release would then be served by a worker without its
 * files.
 */
function windowsOf(worker: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> {
  return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}

async function show(worker: ServiceWorkerGlobalScope, push: Push): Promise<void> {
  // Ask the windows one after the other: each window that is asked shows the push.
  for (const client of await windowsOf(worker)) {
    if (client.visibilityState === "visible" && (await isShownBy(client, push))) return;
  }
  await worker.registration.showNotification(push.title, {
    body: push.body,
    icon: ICON,
    badge: BADGE,
    // A message that is delivered twice replaces the first, without a second sound.
    tag: push.id,
    data: { url: push.url },
  });
}

/** Opens a page in the app's last used window; in a new one only when there is none. */
async function open(worker: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const target = new URL(url, worker.location.origin);
  const path = target.origin === worker.location.origin ? target.pathname + target.search : "/notifications";
  const [client] = await windowsOf(worker);
  if (!client) {
    await worker.clients.openWindow(path);
    return;
  }
  const focused = await client.focus().catch(() => client);
  focused.postMessage({ type: "OPEN", url: path });
}

/**
 * Replaces a subscription that the browser dropped. Only pages have the session, so a page sends the new subscription
 * to the server: an open page at once, otherwise the next start of the app, which compares it with the stored token.
 */
async function resubscribe(
  worker: ServiceWorkerGlobalScope,
  { oldSubscription, newSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  // Some browsers have subscribed again already, and some do not provide the options.
  const { applicationServerKey, userVisibleOnly } = oldSubscription?.options ?? {};
  if (!newSubscription && applicationServerKey) {
    const options = { applicationServerKey, userVisibleOnly: userVisibleOnly ?? true };
    await worker.registration.pushManager.subscribe(options).catch(() => {});
  }
  for (const client of await windowsOf(worker)) client.postMessage({ type: "SUBSCRIPTION_CHANGED" });
}

export function handlePushes(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener("push", (event) => event.waitUntil(show(worker, read(event.data, "PlayOn"))));
  worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(resubscribe(worker, event)));
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const { url } = (event.notification.data ?? {}) as { url?: unknown };
    event.waitUntil(open(worker, typeof url === "string" ? url : "/notifications"));
  });
}
