import { useSyncExternalStore } from "react";

/** The words of browsers and Vite for a script or style sheet that could not be fetched. */
const NOT_FETCHED = /dynamically imported module|module script failed|unable to preload css/i;

/** Whether an import failed because its files could not be fetched, as opposed to a bug in them. */
export function isChunkError(cause: unknown): boolean {
  return cause instanceof Error && NOT_FETCHED.test(cause.message);
}

/** A failed style sheet stays in the document, and the next import would take it for loaded. */
function removeFailedStyles({ message }: Error): void {
  const [href] = /https?:\S+\.css/.exec(message) ?? [];
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (link.href === href) link.remove();
}

/** Runs an import. A failed import leaves nothing behind that would break the next attempt. */
export async function importChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (cause instanceof Error) removeFailedStyles(cause);
    throw cause;
  }
}

/** Whether the server delivers a page right now, so that a reload would not end on the browser's own error page. */
async function canReload(): Promise<boolean> {
  try {
    const reply = await fetch("/index.html", { method: "HEAD", cache: "no-store" });
    return reply.ok;
  } catch {
    return false;
  }
}

/**
 * Repeats an import that failed. Some browsers remember a failed import until the page is reloaded, and a file of an
 * earlier release may be gone: in both cases the server is reachable and the import fails again, and only a reload
 * helps. The reload keeps the history entry with its state, so the player continues on the same screen.
 */
export async function retryChunk<T>(
  load: () => Promise<T>,
  reload: () => void = () => window.location.reload(),
): Promise<T> {
  try {
    return await importChunk(load);
  } catch (cause) {
    if (isChunkError(cause) && (await canReload())) reload();
    throw cause;
  }
}

export type ChunkState<T> =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly value: T }
  | { readonly status: "failed"; readonly error: Error };

/** Code that is loaded on demand. Unlike `React.lazy`, a failed load can be repeated. */
export interface Chunk<T> {
  /** Starts the import, unless it runs or is done. Never rejects: the state has the outcome. */
  load(): Promise<void>;
  retry(): Promise<void>;
  state(): ChunkState<T>;
  subscribe(listener: () => void): () => void;
}

const LOADING = { status: "loading" } as const;

/** @param failure set when a first import has failed already */
export function chunkOf<T>(load: () => Promise<T>, failure?: Error): Chunk<T> {
  let state: ChunkState<T> = failure ? { status: "failed", error: failure } : LOADING;
  let running: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const set = (next: ChunkState<T>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const run = (attempt: (load: () => Promise<T>) => Promise<T>): Promise<void> => {
    running ??= attempt(load)
      .then(
        (value) => set({ status: "ready", value }),
        (cause: unknown) =>
          set({ status: "failed", error: cause instanceof Error ? cause : new Error(String(cause)) }),
      )
      .finally(() => {
        running = null;
      });
    return running;
  };
  return {
    load: async () => {
      if (state.status === "loading") await run(importChunk);
    },
    retry: async () => {
      if (state.status !== "failed") return;
      set(LOADING);
      await run(retryChunk);
    },
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useChunk<T>(chunk: Chunk<T>): ChunkState<T> {
  return useSyncExternalStore(chunk.subscribe, chunk.state, chunk.state);
}
