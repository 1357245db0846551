import { Fault } from "@/lib/http/fault";

// In local storage, because session storage is lost when the phone kills the page during a payment.
const STORAGE_KEY = "intent";

/** Longer than any payment takes. An equal call after that is a new payment. */
export const INTENT_MS = 10 * 60_000;

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

function stored(): Intent | null {
  try {
    const intent = parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null"));
    // abs(): a phone clock that was set back must not keep a key forever.
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
  // Another call, of this page or of another tab, may have stored its key meanwhile.
  if (stored()?.key === key) localStorage.removeItem(STORAGE_KEY);
}

/** Only a refusal of this very call is final. After a refused token or an ingress's page the money may have moved. */
function isFinalNo(cause: unknown, path: string): boolean {
  return cause instanceof Fault && cause.path === path && cause.refused && !cause.unauthenticated;
}

function named(path: string, fingerprint: string): string {
  return `${path} ${fingerprint}`;
}

export interface MoneyCall<T> {
  readonly path: string;
  /** Equal for calls that mean the same payment. */
  readonly fingerprint: string;
  readonly run: (idempotencyKey: string) => Promise<T>;
  /** The id of what the call created, later passed to {@link settle}. */
  readonly resultOf: (answer: T) => string;
}

/**
 * Runs a call that moves money with an Idempotency-Key that survives lost replies, reloads and a killed page. Equal
 * calls share the key until the server refuses the call, its result is settled, or the key is {@link INTENT_MS} old,
 * so that money moves at most once.
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

/** The id that an equal, not yet settled call has created; null when there is none. */
export function acceptedBefore(path: string, fingerprint: string): string | null {
  const last = stored();
  return last?.fingerprint === named(path, fingerprint) ? (last.result ?? null) : null;
}

/** Releases the key of a call whose result is final: an equal call is a new one from now on. */
export function settle(result: string): void {
  const last = stored();
  if (last?.result === result) forget(last.key);
}
