import { useSyncExternalStore } from "react";
import { serverNow } from "@/lib/clock";
import { currentSession, onSessionChange } from "@/lib/session/session";

/**
 * A payment that was started in this browser and is not completed. The server lists a payment only after its money has
 * moved, so this record is the only way back to it and survives navigation and reloads.
 */
export interface PendingPayment {
  readonly paymentId: string;
  readonly uid: string;
  readonly amount: number;
  readonly mpesaPhoneNumber?: string;
  /** Why the payment failed; undefined while it is open. */
  readonly failed?: string;
}

const STORAGE_KEY = "pendingPayments";
/** At most this many are stored. The oldest ones are dropped. */
const MAX_STORED = 5;

type Listener = () => void;
const listeners = new Set<Listener>();

function parse(raw: unknown): PendingPayment | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { paymentId, uid, amount, mpesaPhoneNumber, failed } = raw as Record<string, unknown>;
  if (typeof paymentId !== "string" || typeof uid !== "string" || typeof amount !== "number") return null;
  return {
    paymentId,
    uid,
    amount,
    ...(typeof mpesaPhoneNumber === "string" ? { mpesaPhoneNumber } : {}),
    ...(typeof failed === "string" ? { failed } : {}),
  };
}

function parseAll(raw: string | null): readonly PendingPayment[] {
  try {
    const all: unknown = JSON.parse(raw ?? "[]");
    return Array.isArray(all) ? all.map(parse).filter((each) => each !== null) : [];
  } catch {
    return [];
  }
}

function stored(): readonly PendingPayment[] {
  return parseAll(sessionStorage.getItem(STORAGE_KEY));
}

function store(all: readonly PendingPayment[]): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(all.slice(0, MAX_STORED)));
  for (const listener of listeners) listener();
}

/** Stores a payment as the newest one. A payment with the same id is replaced. */
export function addPendingPayment(payment: PendingPayment): void {
  store([payment, ...stored().filter(({ paymentId }) => paymentId !== payment.paymentId)]);
}

export function removePendingPayment(paymentId: string): void {
  const all = stored();
  const rest = all.filter((each) => each.paymentId !== paymentId);
  if (rest.length < all.length) store(rest);
}

/** Marks a payment as failed. Its reason stays until the player hides it, since they may need it for support. */
export function failPendingPayment(paymentId: string, failed: string): void {
  const all = stored();
  if (!all.some((each) => each.paymentId === paymentId && each.failed !== failed)) return;
  store(all.map((each) => (each.paymentId === paymentId ? { ...each, failed } : each)));
}

const none: readonly PendingPayment[] = [];

// useSyncExternalStore needs the same list while nothing changed.
let cached: { raw: string | null; uid: string | undefined; own: readonly PendingPayment[] } = {
  raw: null,
  uid: undefined,
  own: none,
};

/** The pending and failed payments of the signed-in player. */
export function ownPendingPayments(): readonly PendingPayment[] {
  const raw = sessionStorage.getItem(STORAGE_KEY);
  const uid = currentSession()?.uid;
  if (raw !== cached.raw || uid !== cached.uid) {
    cached = { raw, uid, own: parseAll(raw).filter((each) => each.uid === uid) };
  }
  return cached.own;
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  const stop = onSessionChange(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

export function usePendingPayments(): readonly PendingPayment[] {
  return useSyncExternalStore(subscribe, ownPendingPayments);
}

/** Payment ids are UUIDv7: their first 48 bits are ms since the epoch. */
const UUID_V7 = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/i;

/** The age of a payment in ms by its id; null when the id is not a UUIDv7. */
export function ageOf(paymentId: string): number | null {
  const [, high, low] = UUID_V7.exec(paymentId) ?? [];
  if (!high || !low) return null;
  return Math.max(0, serverNow() - Number.parseInt(high + low, 16));
}
