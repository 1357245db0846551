import * as z from "zod/mini";

/** The messages from the service worker to a window. */
export const workerMessage = z.discriminatedUnion("type", [
  /** A push arrived while the window is visible. The window answers on the port, and shows the toast. */
  z.object({
    type: z.literal("PUSHED"),
    push: z.object({ id: z.string(), title: z.string(), body: z.string(), url: z.string() }),
  }),
  /** The browser replaced or dropped the subscription. */
  z.object({ type: z.literal("SUBSCRIPTION_CHANGED") }),
  /** A notification was pressed. */
  z.object({ type: z.literal("OPEN"), url: z.string() }),
]);

/** Returns the URL's path if it is one of this app: a push must not open anything else. */
export function pathIn(url: string): string {
  return /^\/(?![/\\])\P{Cc}*$/u.test(url) ? url : "/notifications";
}
