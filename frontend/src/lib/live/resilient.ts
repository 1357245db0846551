import { Fault } from "@/lib/http/fault";

/** gRPC codes that are final. Every other error is retried. */
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** Reconnect after this time without an event: a little less than three missed heart-beats of 15 s. */
export const SILENCE_MS = 40_000;
/** Reconnect a page that returns from the background after this time without an event, because its timers were paused. */
const STALE_MS = 17_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

export interface Attempt {
  cancel(): void;
}

export interface Handlers<E> {
  event(event: E): void;
  /** The stream ended; null stands for OK. */
  end(status: { readonly code: number; readonly message: string } | null): void;
}

export interface ResilientOptions<E> {
  /** Opens one attempt with a freshly fetched token. */
  readonly open: (token: string, on: Handlers<E>) => Attempt;
  readonly token: () => Promise<string>;
  /** Fetches another token in place of a refused one. */
  readonly renew: (refused: string) => Promise<string>;
  readonly onEvent: (event: E) => void;
  /** The server ended the stream with OK: no more events will follow. */
  readonly onDone: () => void;
  /** The server refused the stream for good. */
  readonly onRefused: (message: string) => void;
  /** An attempt was lost and another will follow; the caller may poll meanwhile. */
  readonly onLost?: () => void;
  readonly random?: () => number;
}

/** Keeps one server stream open across lost connections, restarts and expired tokens. Returns the function that stops it. */
export function resilient<E>(options: ResilientOptions<E>): () => void {
  const random = options.random ?? Math.random;
  // Counts the attempts. Tokens and events of an earlier attempt are ignored.
  let generation = 0;
  let attempt: Attempt | null = null;
  let failures = 0;
  let renewed = false;
  let lastHeard = 0;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Ends the current attempt, whether it streams, fetches its token or waits for its retry. */
  function abandon(): void {
    generation += 1;
    clearTimeout(watchdog);
    clearTimeout(retry);
    attempt?.cancel();
    attempt = null;
  }

  function stop(): void {
    abandon();
    document.removeEventListener("visibilitychange", onVisible);
  }

  function lost(): void {
    abandon();
    const ceiling = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
    failures += 1;
    // Jitter over half of the delay, so that not all players reconnect to a restarted gateway at the same moment.
    retry = setTimeout(() => void begin(options.token), ceiling / 2 + (random() * ceiling) / 2);
    options.onLost?.();
  }

  function heard(): void {
    lastHeard = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, SILENCE_MS);
  }

  function ended(token: string, status: { code: number; message: string } | null): void {
    // The stream has ended by itself, so there is nothing to cancel.
    attempt = null;
    if (status === null || status.code === 0) {
      stop();
      options.onDone();
    } else if (status.code === UNAUTHENTICATED && !renewed) {
      renewed = true;
      void begin(() => options.renew(token));
    } else if ([INVALID_ARGUMENT, PERMISSION_DENIED, UNAUTHENTICATED].includes(status.code)) {
      stop();
      options.onRefused(status.message);
    } else {
      lost();
    }
  }

  function noToken(cause: unknown): void {
    if (cause instanceof Fault && cause.unauthenticated) {
      stop();
      options.onRefused(cause.message);
    } else {
      lost();
    }
  }

  async function begin(fetchToken: () => Promise<string>): Promise<void> {
    abandon();
    const mine = generation;
    const outdated = () => mine !== generation;
    let token: string;
    try {
      token = await fetchToken();
    } catch (cause) {
      if (!outdated()) noToken(cause);
      return;
    }
    if (outdated()) return;
    heard();
    const opened = options.open(token, {
      event: (event) => {
        if (outdated()) return;
        failures = 0;
        renewed = false;
        heard();
        options.onEvent(event);
      },
      end: (status) => {
        if (!outdated()) ended(token, status);
      },
    });
    // open() may have ended the attempt, and started another, before it returned.
    if (outdated()) opened.cancel();
    else attempt = opened;
  }

  function onVisible(): void {
    if (document.visibilityState !== "visible" || Date.now() - lastHeard < STALE_MS) return;
    void begin(options.token);
  }

  document.addEventListener("visibilitychange", onVisible);
  void begin(options.token);
  return stop;
}
