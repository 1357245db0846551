import type { Change } from "./changes";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** The screen shows the failure itself, so it raises no toast. */
      quiet?: boolean;
    };
    mutationMeta: {
      quiet?: boolean;
      /** Announced when the mutation has succeeded. */
      change?: Change;
    };
  }
}
