import { Fault } from "@/lib/http/fault";
import { currentLanguage } from "@/lib/i18n/language";
import { currentSession } from "@/lib/session/session";
import { tabStorage } from "@/lib/storage";
import { updateUnlessHeld } from "@/lib/updates";
import { fetchPushKey, registerToken, removeToken } from "./api";
import { clearToken, isStale, storedToken, storeToken } from "./token";

/** The browser provides no subscription: the specification's token failure. */
class TokenFailure extends Error {}

/** `unsupported`: this browser has no push, or only once the app is installed. */
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

/** Whether a subscription was made with the server's key: the server cannot send to any other. */
function hasKey(subscription: PushSubscription, key: Uint8Array): boolean {
  const own = subscription.options?.applicationServerKey;
  // Older browsers do not expose the key.
  if (!own) return true;
  const bytes = new Uint8Array(own);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

/** The browser's subscription with this key, or a new one. @throws TokenFailure */
async function subscribe(key: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const { pushManager } = await registration();
  try {
    const known = await pushManager.getSubscription();
    if (known && hasKey(known, key)) return known;
    await known?.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (cause) {
    throw new TokenFailure("the browser gave no push subscription", { cause });
  }
}

/** Subscribes this browser, or finds its subscription, and gives it to the server. */
async function register(): Promise<void> {
  const uid = currentSession()?.uid;
  if (!uid) return;
  const before = storedToken();
  const key = bytesOf(await fetchPushKey());
  if (key.length === 0) throw new Error("push is not offered");
  const subscription = await subscribe(key);
  const token = JSON.stringify(subscription);
  await registerToken(token);
  // The player may have signed out, or switched push off, meanwhile.
  const isSwitchedOff = before !== null && storedToken() === null;
  if (currentSession()?.uid === uid && !isSwitchedOff) storeToken(token, uid, currentLanguage());
  else await subscription.unsubscribe();
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one registration at a time: a sign-in changes session and profile, and each change asks for a refresh. */
function inTurn(run: () => Promise<void>): Promise<void> {
  const result = last.then(run);
  last = result.catch(() => {});
  return result;
}

/** Asks for the permission and subscribes. Call it in the handler of a press only. */
export async function switchPushOn(): Promise<PushState> {
  if (!isSupported()) return "unsupported";
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return pushState();
  await inTurn(register);
  return pushState();
}

/** Ends this browser's subscription, at the server too if it can be reached. */
export async function switchPushOff(): Promise<void> {
  const token = storedToken();
  clearToken();
  const subscription = await (await registration()).pushManager.getSubscription();
  await Promise.allSettled([
    // Without the subscription the push service refuses the server's messages, and the server then forgets the token.
    subscription?.unsubscribe(),
    token === null ? undefined : removeToken(token),
  ]);
}

/** Whether the browser's subscription differs from the server's: the browser dropped that one, or replaced it. */
async function hasOther(token: string | null): Promise<boolean> {
  const subscription = await (await registration()).pushManager.getSubscription();
  return JSON.stringify(subscription) !== token;
}

/** Set for the page that loads after a token failure, which registers once more although there is no stored token. */
const RETRY_KEY = "pushRetry";

function takeRetry(): boolean {
  const isRetry = tabStorage.getItem(RETRY_KEY) !== null;
  tabStorage.removeItem(RETRY_KEY);
  return isRetry;
}

/** Asks for the permission again and reloads the page once it is granted, as the specification says. */
async function askAgain(reload: () => void): Promise<void> {
  if (Notification.permission === "denied" || (await Notification.requestPermission()) !== "granted") return;
  tabStorage.setItem(RETRY_KEY, "1");
  // During a payment or a game the page is not reloaded; the next refresh then counts as the retry.
  await updateUnlessHeld(reload);
}

async function refresh(reload: () => void): Promise<void> {
  const uid = currentSession()?.uid;
  if (!uid || !isSupported()) return;
  const isRetry = takeRetry();
  const token = storedToken();
  if (token === null && !isRetry) return;
  try {
    if (Notification.permission !== "granted") throw new TokenFailure("the permission was withdrawn");
    if (isRetry || isStale(uid, currentLanguage()) || (await hasOther(token))) await register();
  } catch (cause) {
    // biome-ignore lint/suspicious/noConsole: the specification asks for this log
    console.warn("The push subscription could not be refreshed.", cause);
    const isRefused = cause instanceof Fault && cause.refused && !cause.unauthenticated;
    if (isRefused || cause instanceof TokenFailure) clearToken();
    // A second failure in a row leaves push switched off, so that no page reloads for ever.
    if (cause instanceof TokenFailure && !isRetry) await askAgain(reload).catch(() => {});
  }
}

/**
 * Sends the subscription to the server again when that is due, or when the browser has another one. Failures are logged
 * only, as the specification says; a failure of the browser itself also removes the stored token.
 */
export function refreshPush(reload = () => window.location.reload()): Promise<void> {
  return inTurn(() => refresh(reload));
}
