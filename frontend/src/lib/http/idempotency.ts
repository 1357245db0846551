import { Fault } from "@/lib/http/fault";

// In local storage, because session storage is lost when the phone kills the page during a payment.
const STORAGE_KEY = "intent";

/** Longer than any payment takes. An equal call after that is a new payment. */
export const INTENT_LIFETIME_MS = 10 * 60_000;

interface Intent {
  readonly fingerprint: string;
  readonly key: string;
  /** When the key was made, in ms since the epoch. */
  readonly at: number;
  /** The id of what the call created, such as a payment, once the server has replied. */
  readonly result?: string;
}

function parse(raw: unknown): Intent | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { fingerprint, key, at, result } = raw as Partial<Record<keyof Intent, unknown>>;
  if (typeof fingerprint !== "string" || typeof key !== "string" || typeof at !== "number") return null;
  return { fingerprint, key, at, ...(typeof result === "string" ? { result } : {}) };
}

function storedIntent(): Intent | null {
  try {
    const intent = parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null"));
    // abs(): a phone clock that was set back must not keep a key forever.
    return intent && Math.abs(Date.now() - intent.at) < INTENT_LIFETIME_MS ? intent : null;
  } catch {
    return null;
  }
}

function store(intent: Intent): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(intent));
}

function intentOf(fingerprint: string): Intent {
  const last = storedIntent();
  if (last?.fingerprint === fingerprint) return last;
  const intent = { fingerprint, key: crypto.randomUUID(), at: Date.now() };
  store(intent);
  return intent;
}

function remove(key: string): void {
  // Another call, of this page or of another tab, may have stored its key meanwhile.
  if (storedIntent()?.key === key) localStorage.removeItem(STORAGE_KEY);
}

/** Only a refusal of this very call is final. After a refused token or an ingress's page the money may have moved. */
function isFinalRefusal(cause: unknown, path: string): boolean {
  return cause instanceof Fault && cause.path === path && cause.refused && !cause.unauthenticated;
}

function scopedFingerprint(path: string, fingerprint: string): string {
  return `${path} ${fingerprint}`;
}

export interface MoneyCall<T> {
  readonly path: string;
  /** Equal for calls that mean the same payment. */
  readonly fingerprint: string;
  readonly run: (idempotencyKey: string) => Promise<T>;
  /** The id of what the call created, later passed to {@link releaseKey}. */
  readonly resultOf: (answer: T) => string;
}

/**
 * Runs a call that moves money with an Idempotency-Key that survives lost replies, reloads and a killed page. Equal
 * calls share the key until the server refuses the call, its result is settled, or the key is
 * {@link INTENT_LIFETIME_MS} old, so that money moves at most once.
 */
export async function withIdempotencyKey<T>({ path, fingerprint, run, resultOf }: MoneyCall<T>): Promise<T> {
  const intent = intentOf(scopedFingerprint(path, fingerprint));
  try {
    const answer = await run(intent.key);
    if (storedIntent()?.key === intent.key) store({ ...intent, result: resultOf(answer) });
    return answer;
  } catch (cause) {
    if (isFinalRefusal(cause, path)) remove(intent.key);
    throw cause;
  }
}

/** The id that an equal, not yet settled call has created; null when there is none. */
export function acceptedResult(path: string, fingerprint: string): string | null {
  const last = storedIntent();
  return last?.fingerprint === scopedFingerprint(path, fingerprint) ? (last.result ?? null) : null;
}

/** Releases the key of a call whose result is final: an equal call is a new one from now on. */
export function releaseKey(result: string): void {
  const last = storedIntent();
  if (last?.result === result) remove(last.key);
}
