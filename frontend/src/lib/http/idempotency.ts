import { Fault } from "@/lib/http/fault";

// Not the session's storage: a page that the phone killed in mid-payment must find the key again.
const STORAGE_KEY = "intent";

/** Longer than any payment is under way; what is asked for after that is meant anew. */
export const INTENT_MS = 10 * 60_000;

interface Intent {
  readonly fingerprint: string;
  readonly key: string;
  /** When the key was made, in ms since the epoch. */
  readonly at: number;
  /** The id of what the server made of it, once it has said so. */
  readonly result?: string;
}

function parse(raw: unknown): Intent | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { fingerprint, key, at, result } = raw as Partial<Record<keyof Intent, unknown>>;
  if (typeof fingerprint !== "string" || typeof key !== "string" || typeof at !== "number") return null;
  return { fingerprint, key, at, ...(typeof result === "string" ? { result } : {}) };
}

function stored(): Intent | null {
  try {
    const intent = parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null"));
    // A clock that was set back must not keep a key for ever.
    return intent && Math.abs(Date.now() - intent.at) < INTENT_MS ? intent : null;
  } catch {
    return null;
  }
}

function keep(intent: Intent): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(intent));
}

function intentOf(fingerprint: string): Intent {
  const last = stored();
  if (last?.fingerprint === fingerprint) return last;
  const intent = { fingerprint, key: crypto.randomUUID(), at: Date.now() };
  keep(intent);
  return intent;
}

function forget(key: string): void {
  // By then another intent may stand there, of this page or of another tab.
  if (stored()?.key === key) localStorage.removeItem(STORAGE_KEY);
}

/** Only the server's own no to this very call is final: a refused token or an ingress's page says nothing of the money. */
function isFinalNo(cause: unknown, path: string): boolean {
  return cause instanceof Fault && cause.path === path && cause.refused && !cause.unauthenticated;
}

function named(path: string, fingerprint: string): string {
  return `${path} ${fingerprint}`;
}

export interface MoneyCall<T> {
  readonly path: string;
  /** Equal for calls that mean the same. */
  readonly fingerprint: string;
  readonly run: (idempotencyKey: string) => Promise<T>;
  /** The id of what the call made, by which {@link settle} will name it. */
  readonly resultOf: (answer: T) => string;
}

/**
 * Runs a call that moves money under an Idempotency-Key that outlives lost replies, reloads and the page itself:
 * what means the same is sent under the same key until the server refused it, its result is settled, or it is
 * {@link INTENT_MS} old. So money moves at most once.
 */
export async function oncePerIntent<T>({ path, fingerprint, run, resultOf }: MoneyCall<T>): Promise<T> {
  const intent = intentOf(named(path, fingerprint));
  try {
    const answer = await run(intent.key);
    if (stored()?.key === intent.key) keep({ ...intent, result: resultOf(answer) });
    return answer;
  } catch (cause) {
    if (isFinalNo(cause, path)) forget(intent.key);
    throw cause;
  }
}

/** The id of what an equal call has already made and that is not known to be settled; null when there is none. */
export function acceptedBefore(path: string, fingerprint: string): string | null {
  const last = stored();
  return last?.fingerprint === named(path, fingerprint) ? (last.result ?? null) : null;
}

/** What a call made has come to its end: an equal call from now on is another one. */
export function settle(result: string): void {
  const last = stored();
  if (last?.result === result) forget(last.key);
}
