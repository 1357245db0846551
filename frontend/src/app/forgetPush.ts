import { Fault } from "@/lib/http/fault";
import { deviceStorage } from "@/lib/storage";

/** How long the end of a session waits for the end of the push subscription. */
const PUSH_TIMEOUT_MS = 1_000;

const push = () => import("@/features/push/subscription");

/**
 * Ends the push subscription of this phone while the session can still identify its owner. A failure does not stop the
 * sign-out. Returns whether there was a subscription.
 */
export async function forgetPush(): Promise<boolean> {
  if (deviceStorage.getItem("fcmToken") === null) return false;
  // If the server is not reached here, the push service refuses its messages once the browser has ended the
  // subscription.
  const ended = push().then(({ switchPushOff }) => switchPushOff());
  const late = new Promise((resolve) => setTimeout(resolve, PUSH_TIMEOUT_MS));
  await Promise.race([ended.catch(() => {}), late]);
  return true;
}

/**
 * Makes a call that ends every session of the player, after ending this phone's push subscription. If the server
 * refused the call, no session ended, so the phone is subscribed again; if the reply was lost, sessions may have ended.
 */
export async function endSessions<T>(call: () => Promise<T>): Promise<T> {
  const wasOn = await forgetPush();
  try {
    return await call();
  } catch (cause) {
    if (wasOn && cause instanceof Fault && cause.refused && !cause.unauthenticated) {
      // The permission is already granted, so the browser asks nothing.
      void push()
        .then(({ switchPushOn }) => switchPushOn())
        .catch(() => {});
    }
    throw cause;
  }
}
