import { Fault } from "@/lib/http/fault";

/** The gRPC codes that say no for good; whatever else ends a stream is worth another attempt. */
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** Three missed heart-beats of 15 s, less a little: the line is taken for dead. */
export const SILENCE_MS = 40_000;
/** A page coming back from the background asks again sooner, since its timers stood still. */
const STALE_MS = 17_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

export interface Attempt {
  cancel(): void;
}

export interface Handlers<E> {
  event(event: E): void;
  /** null for OK */
  end(status: { readonly code: number; readonly message: string } | null): void;
}

export interface ResilientOptions<E> {
  /** Opens one attempt with a token fetched for it, and with whatever cursor the caller has reached. */
  readonly open: (token: string, on: Handlers<E>) => Attempt;
  readonly token: () => Promise<string>;
  /** Another token in place of one that was refused. */
  readonly renew: (refused: string) => Promise<string>;
  readonly onEvent: (event: E) => void;
  /** The server ended the stream with OK: there is nothing more to tell. */
  readonly onDone: () => void;
  /** The server refused for good. */
  readonly onRefused: (message: string) => void;
  /** An attempt was lost and another will follow; a moment to ask by other means. */
  readonly onLost?: () => void;
  readonly random?: () => number;
}

/** Keeps one stream open through lost lines, restarts and expired tokens. Returns the way to stop it. */
export function resilient<E>(options: ResilientOptions<E>): () => void {
  const random = options.random ?? Math.random;
  // Counts the attempts. Whatever an earlier one still has to say, be it a token or an event, comes too late.
  let generation = 0;
  let attempt: Attempt | null = null;
  let failures = 0;
  let renewed = false;
  let lastHeard = 0;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Ends the present attempt, whether it streams, waits for its token or for its turn. */
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
    // Half fixed, half chance: a restarted gateway is not met by every player in the same moment.
    retry = setTimeout(() => void begin(options.token), ceiling / 2 + (random() * ceiling) / 2);
    options.onLost?.();
  }

  function heard(): void {
    lastHeard = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, SILENCE_MS);
  }

  function ended(token: string, status: { code: number; message: string } | null): void {
    // It ended by itself: there is nothing left to cancel.
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
    // It may have ended, and another begun, before it was even handed over.
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
