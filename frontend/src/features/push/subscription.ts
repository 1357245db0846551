import { currentLanguage } from "@/lib/i18n/language";
import { currentSession } from "@/lib/session/session";
import { fetchPushKey, registerToken, removeToken } from "./api";
import { clearToken, isStale, storedToken, storeToken } from "./token";

/** `unsupported`: this browser cannot, or only once the app is installed. */
export type PushState = "unsupported" | "blocked" | "off" | "on";

/** How long to wait for a service worker: there is none in development, and none where the storage is blocked. */
const READY_TIMEOUT_MS = 10_000;

const isSupported = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export function pushState(): PushState {
  if (!isSupported()) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && storedToken() !== null ? "on" : "off";
}

async function registration(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new Error("no service worker")), READY_TIMEOUT_MS),
  );
  return Promise.race([navigator.serviceWorker.ready, late]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** Whether a subscription was made with the server's key: with another one nothing can be sent to it. */
function hasKey(subscription: PushSubscription, key: Uint8Array): boolean {
  const own = subscription.options?.applicationServerKey;
  // Older browsers do not say.
  if (!own) return true;
  const bytes = new Uint8Array(own);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

/** Subscribes this browser, or finds its subscription, and gives it to the server. */
async function register(): Promise<void> {
  const uid = currentSession()?.uid;
  if (!uid) return;
  const key = bytesOf(await fetchPushKey());
  if (key.length === 0) throw new Error("push is not offered");
  const { pushManager } = await registration();
  const known = await pushManager.getSubscription();
  const isUsable = known !== null && hasKey(known, key);
  if (known && !isUsable) await known.unsubscribe();
  const subscription =
    known && isUsable
      ? known
      : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const token = JSON.stringify(subscription);
  await registerToken(token);
  // The player may have signed out meanwhile.
  if (currentSession()?.uid === uid) storeToken(token, uid, currentLanguage());
  else await subscription.unsubscribe();
}

/** Asks for the permission and subscribes. Call it in the handler of a press only. */
export async function switchPushOn(): Promise<PushState> {
  if (!isSupported()) return "unsupported";
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return pushState();
  await register();
  return pushState();
}

/** Ends this browser's subscription, at the server too if it can be reached. */
export async function switchPushOff(): Promise<void> {
  const token = storedToken();
  clearToken();
  const subscription = await (await registration()).pushManager.getSubscription();
  await Promise.allSettled([
    // Without it the push service refuses what the server sends, and the server forgets the token then.
    subscription?.unsubscribe(),
    token === null ? undefined : removeToken(token),
  ]);
}

/** Gives the server the subscription again when that is due. Failures are logged only, as the specification says. */
export async function refreshPush(): Promise<void> {
  const uid = currentSession()?.uid;
  if (!uid || !isSupported() || storedToken() === null) return;
  if (Notification.permission !== "granted") {
    clearToken();
    return;
  }
  if (!isStale(uid, currentLanguage())) return;
  try {
    await register();
  } catch (cause) {
    // biome-ignore lint/suspicious/noConsole: the specification asks for this log
    console.warn("The push subscription could not be refreshed.", cause);
  }
}
