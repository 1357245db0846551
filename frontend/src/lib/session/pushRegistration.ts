import { deviceStorage } from "@/lib/storage";

/** The storage key of the last push registration: its player, language and time (`features/push/token.ts`). */
export const PUSH_REGISTERED_KEY = "fcmTokenRegistered";

/**
 * Makes the next refresh register the subscription again. Called by each sign-in: the server pushes nothing for a
 * session that has ended, and the new one has registered nothing. Not in `session.ts`, which the first view loads.
 */
export function forgetPushRegistration(): void {
  deviceStorage.removeItem(PUSH_REGISTERED_KEY);
}
