import type { ReactNode } from "react";
import { Crash } from "@/ui/Crash";
import type { FallbackProps } from "@/ui/Lazy";

/** The fallback of a page whose code is loading, which the skeleton stands for, or failed to load. */
export function pageFallback(skeleton: ReactNode) {
  return ({ error, onRetry }: FallbackProps<object>): ReactNode =>
    error ? (
      <main>
        <Crash page error={error} onRetry={onRetry} />
      </main>
    ) : (
      skeleton
    );
}
