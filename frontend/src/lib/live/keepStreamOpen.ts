import { Fault } from "@/lib/http/fault";

/** gRPC codes that are final. Every other error is retried. */
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

/** Reconnect after this time without an event: a little less than three missed heart-beats of 15 s. */
export const IDLE_TIMEOUT_MS = 40_000;
/** Reconnect a page that returns from the background after this time without an event, because its timers were paused. */
const STALE_MS = 17_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

export interface Attempt {
  cancel(): void;
}

/** The status of a stream that ended other than with OK. */
export interface FinalStatus {
  readonly code: number;
  readonly message: string;
  /** The topics that were refused; empty when the whole request was. */
  readonly refusedTopics?: readonly string[];
}

export interface Handlers<E> {
  event(event: E): void;
  /** The stream ended; null stands for OK. */
  end(status: FinalStatus | null): void;
}

export interface StreamOptions<E> {
  /** Opens one attempt with a freshly fetched token. */
  readonly open: (token: string, on: Handlers<E>) => Attempt;
  readonly token: () => Promise<string>;
  /** Fetches another token in place of a refused one. */
  readonly renew: (refused: string) => Promise<string>;
  readonly onEvent: (event: E) => void;
  /** The server ended the stream with OK: no more events will follow. */
  readonly onDone: () => void;
  /** The server refused the stream for good: because of the request, or of the caller. */
  readonly onRefused: (status: FinalStatus, because: "request" | "caller") => void;
  /** An attempt was lost and another will follow; the caller may poll meanwhile. */
  readonly onLost?: () => void;
  readonly random?: () => number;
}

/** Keeps a server stream open across lost connections, restarts and expired tokens. Returns the function that stops it. */
export function keepStreamOpen<E>(options: StreamOptions<E>): () => void {
  const random = options.random ?? Math.random;
  // Counts the attempts. Tokens and events of an earlier attempt are ignored.
  let generation = 0;
  let attempt: Attempt | null = null;
  let failures = 0;
  let renewed = false;
  let lastEventAt = 0;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Ends the current attempt, whether it streams, fetches its token or waits for its retry. */
  function closeAttempt(): void {
    generation += 1;
    clearTimeout(watchdog);
    clearTimeout(retry);
    attempt?.cancel();
    attempt = null;
  }

  function stop(): void {
    closeAttempt();
    document.removeEventListener("visibilitychange", onVisible);
  }

  function reconnectLater(): void {
    closeAttempt();
    const ceiling = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
    failures += 1;
    // Jitter over half of the delay, so that not all players reconnect to a restarted gateway at the same moment.
    retry = setTimeout(() => void connect(options.token), ceiling / 2 + (random() * ceiling) / 2);
    options.onLost?.();
  }

  function restartWatchdog(): void {
    lastEventAt = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(reconnectLater, IDLE_TIMEOUT_MS);
  }

  function onEnd(token: string, status: FinalStatus | null): void {
    // The stream has ended by itself, so there is nothing to cancel.
    attempt = null;
    if (status === null || status.code === 0) {
      stop();
      options.onDone();
    } else if (status.code === UNAUTHENTICATED && !renewed) {
      renewed = true;
      void connect(() => options.renew(token));
    } else if ([INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED].includes(status.code)) {
      stop();
      options.onRefused(status, status.code === UNAUTHENTICATED ? "caller" : "request");
    } else {
      reconnectLater();
    }
  }

  function onTokenError(cause: unknown): void {
    if (cause instanceof Fault && cause.unauthenticated) {
      stop();
      options.onRefused({ code: UNAUTHENTICATED, message: cause.message }, "caller");
    } else {
      reconnectLater();
    }
  }

  async function connect(fetchToken: () => Promise<string>): Promise<void> {
    closeAttempt();
    const ownGeneration = generation;
    const outdated = () => ownGeneration !== generation;
    let token: string;
    try {
      token = await fetchToken();
    } catch (cause) {
      if (!outdated()) onTokenError(cause);
      return;
    }
    if (outdated()) return;
    restartWatchdog();
    const opened = options.open(token, {
      event: (event) => {
        if (outdated()) return;
        failures = 0;
        renewed = false;
        restartWatchdog();
        options.onEvent(event);
      },
      end: (status) => {
        if (!outdated()) onEnd(token, status);
      },
    });
    // open() may have ended the attempt, and started another, before it returned.
    if (outdated()) opened.cancel();
    else attempt = opened;
  }

  function onVisible(): void {
    if (document.visibilityState !== "visible" || Date.now() - lastEventAt < STALE_MS) return;
    void connect(options.token);
  }

  document.addEventListener("visibilitychange", onVisible);
  void connect(options.token);
  return stop;
}
