import { Fault } from "@/lib/http/fault";

/** How long the end of a session waits for the end of the push subscription. */
const PUSH_TIMEOUT_MS = 1_000;

const push = () => import("@/features/push/subscription");

/**
 * Ends the push subscription of this phone while the session can still say whose it is. Its failure stops no sign-out.
 * Returns whether there was one.
 */
export async function forgetPush(): Promise<boolean> {
  if (localStorage.getItem("fcmToken") === null) return false;
  // What is not reached here the push service refuses, once the browser has ended its subscription.
  const ended = push().then(({ switchPushOff }) => switchPushOff());
  const late = new Promise((resolve) => setTimeout(resolve, PUSH_TIMEOUT_MS));
  await Promise.race([ended.catch(() => {}), late]);
  return true;
}

/**
 * Makes a call that ends every session of the player, after the end of this phone's push subscription. A call that the
 * server refused ended no session, so the phone is subscribed again; one whose reply was lost may have ended them.
 */
export async function endSessions<T>(call: () => Promise<T>): Promise<T> {
  const wasOn = await forgetPush();
  try {
    return await call();
  } catch (cause) {
    if (wasOn && cause instanceof Fault && cause.refused && !cause.unauthenticated) {
      // The permission is there, so that nothing is asked.
      void push()
        .then(({ switchPushOn }) => switchPushOn())
        .catch(() => {});
    }
    throw cause;
  }
}
