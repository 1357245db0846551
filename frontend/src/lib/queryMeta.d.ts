import type { Change } from "./changes";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Whether the screen shows the failure itself: then there is no toast. */
      quiet?: boolean;
    };
    mutationMeta: {
      /** Whether the screen shows the failure itself, or which failures. */
      quiet?: boolean | ((cause: Error) => boolean);
      /** The change to announce when the mutation has succeeded. */
      change?: Change;
    };
  }
}
