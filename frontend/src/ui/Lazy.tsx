import { type ComponentType, useEffect, useReducer } from "react";
import { chunkOf, useChunk } from "@/lib/chunk";
import { ErrorBoundary } from "./ErrorBoundary";

/** The props of the fallback of a component whose code is loading, failed to load, or crashed. */
export interface FallbackProps<P> {
  /** Null while the code is loading. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** The props of the component. */
  readonly of: P;
}

export type Lazy<P> = ComponentType<P> & {
  /** Loads the code before it is needed. */
  readonly preload: () => void;
};

/**
 * A component whose code is loaded when it is first rendered. In contrast to `React.lazy` a load that failed can be
 * repeated, and both the wait and the failure are shown in place of the component only.
 * @param failure set when a first import has failed already
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Fallback: ComponentType<FallbackProps<P>>,
  failure?: Error,
): Lazy<P> {
  const chunk = chunkOf(load, failure);
  function LazyComponent(props: P) {
    const state = useChunk(chunk);
    const [attempt, restart] = useReducer((count: number) => count + 1, 0);
    useEffect(() => void chunk.load(), []);
    if (state.status === "ready") {
      return (
        <ErrorBoundary
          key={attempt}
          fallback={(error) => <Fallback error={error} onRetry={restart} of={props} />}
        >
          <state.value {...props} />
        </ErrorBoundary>
      );
    }
    const error = state.status === "failed" ? state.error : null;
    return <Fallback error={error} onRetry={() => void chunk.retry()} of={props} />;
  }
  return Object.assign(LazyComponent, { preload: () => void chunk.load() });
}
