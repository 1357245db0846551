import * as z from "zod/mini";
import { Fault } from "@/lib/http/fault";
import { deviceStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

// The keys are in local storage, because session storage is lost when the phone kills the page during a payment.
const STORAGE_KEY = "intents";

/** Lifetime of a key: longer than any payment takes. An equal call after that is a new payment. */
export const INTENT_LIFETIME_MS = 10 * 60_000;
/** At most this many keys are kept. The oldest ones are dropped. */
export const MAX_INTENTS = 50;

/** A payment that the player wants to make, with the key of all calls for it. */
const intent = z.object({
  fingerprint: z.string(),
  key: z.string(),
  /** When the key was made, in ms since the epoch. */
  at: z.number(),
  /** The id of what the call created, such as a payment, once the server has replied. */
  result: z.optional(z.string()),
});
type Intent = z.infer<typeof intent>;
const intents = z.array(intent);

/** The intents that are not too old, newest first. */
function storedIntents(): Intent[] {
  const now = Date.now();
  // abs(): a phone clock that was set back must not keep a key forever.
  return (readStored(deviceStorage, STORAGE_KEY, intents) ?? []).filter(
    ({ at }) => Math.abs(now - at) < INTENT_LIFETIME_MS,
  );
}

function store(all: readonly Intent[]): void {
  if (all.length === 0) deviceStorage.removeItem(STORAGE_KEY);
  else deviceStorage.setItem(STORAGE_KEY, JSON.stringify(all.slice(0, MAX_INTENTS)));
}

/** The intent with this fingerprint; a new one when there is none. Intents of other calls stay. */
function intentOf(fingerprint: string): Intent {
  const all = storedIntents();
  const known = all.find((each) => each.fingerprint === fingerprint);
  if (known) return known;
  const made = { fingerprint, key: crypto.randomUUID(), at: Date.now() };
  store([made, ...all]);
  return made;
}

/** Stores what the server created for a key. A key that was released meanwhile stays released. */
function storeResult(key: string, result: string): void {
  store(storedIntents().map((each) => (each.key === key ? { ...each, result } : each)));
}

function remove(matches: (intent: Intent) => boolean): void {
  const all = storedIntents();
  const rest = all.filter((each) => !matches(each));
  if (rest.length < all.length) store(rest);
}

/** Only a refusal of this call itself is final. After a refused token or an ingress's page the money may have moved. */
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
 * Runs a call that moves money with an Idempotency-Key that survives lost replies, reloads, a killed page and other calls
 * in between. Equal calls share the key until the server refuses the call, its result is settled, or the key is
 * {@link INTENT_LIFETIME_MS} old, so that money moves at most once.
 */
export async function withIdempotencyKey<T>({ path, fingerprint, run, resultOf }: MoneyCall<T>): Promise<T> {
  const { key } = intentOf(scopedFingerprint(path, fingerprint));
  try {
    const answer = await run(key);
    storeResult(key, resultOf(answer));
    return answer;
  } catch (cause) {
    if (isFinalRefusal(cause, path)) remove((each) => each.key === key);
    throw cause;
  }
}

/** The id that an equal, not yet settled call has created; null when there is none. */
export function acceptedResult(path: string, fingerprint: string): string | null {
  const scoped = scopedFingerprint(path, fingerprint);
  return storedIntents().find((each) => each.fingerprint === scoped)?.result ?? null;
}

/** Releases the key of a call whose result is final: from then on an equal call is a new one. */
export function releaseKey(result: string): void {
  remove((each) => each.result === result);
}
