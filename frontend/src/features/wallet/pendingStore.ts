import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { serverNow } from "@/lib/clock";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { tabStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";
import { type PaymentType, paymentKinds } from "./kinds";

const pendingPayment = z.object({
  paymentId: z.string(),
  /** The player who started the payment. */
  uid: z.string(),
  type: z.enum(Object.keys(paymentKinds) as [PaymentType, ...PaymentType[]]),
  amount: z.number(),
  mpesaPhoneNumber: z.optional(z.string()),
  /** The code of the payment's method. */
  paymentMethod: z.optional(z.string()),
  /** The page of a card payment, which can be opened again. */
  cardUrl: z.optional(z.string()),
  /** Why the payment failed; undefined while it is open. */
  failed: z.optional(z.string()),
});

/**
 * A payment that was started in this browser and is not completed. The server lists a payment only after its money has
 * moved, so this record is the only way back to it and survives navigation and reloads.
 */
export type PendingPayment = Readonly<z.infer<typeof pendingPayment>>;

const STORAGE_KEY = "pendingPayments";
/** Maximum stored payments. The oldest ones are dropped. */
const MAX_STORED = 5;

const none: readonly PendingPayment[] = [];

type Listener = () => void;
const listeners = new Set<Listener>();

function stored(): readonly PendingPayment[] {
  return readStored(tabStorage, STORAGE_KEY, z.array(pendingPayment)) ?? none;
}

function store(all: readonly PendingPayment[]): void {
  tabStorage.setItem(STORAGE_KEY, JSON.stringify(all.slice(0, MAX_STORED)));
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

/** The stored payment with this id, whichever player started it; null for one that is not stored. */
export function pendingPaymentOf(paymentId: string): PendingPayment | null {
  return stored().find((each) => each.paymentId === paymentId) ?? null;
}

// useSyncExternalStore needs the same list while nothing changed.
let cached: { raw: string | null; uid: string | undefined; own: readonly PendingPayment[] } = {
  raw: null,
  uid: undefined,
  own: none,
};

/** The pending and failed payments of the signed-in player. */
export function ownPendingPayments(): readonly PendingPayment[] {
  const raw = tabStorage.getItem(STORAGE_KEY);
  const uid = currentSession()?.uid;
  if (raw !== cached.raw || uid !== cached.uid) {
    cached = { raw, uid, own: stored().filter((each) => each.uid === uid) };
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
