/** For whom, in which language and when the push subscription was registered (`features/push/token.ts`). */
export const PUSH_REGISTERED_KEY = "fcmTokenRegistered";

/**
 * Lets the next refresh register the subscription again. Called by each sign-in: the server pushes nothing for a session
 * that has ended, and the new one has registered nothing. Not a part of `session.ts`, which the first view loads.
 */
export function forgetPushRegistration(): void {
  localStorage.removeItem(PUSH_REGISTERED_KEY);
}
