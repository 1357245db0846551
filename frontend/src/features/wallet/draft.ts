import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { barePhone, subscriberOf } from "@/lib/phone";
import { tabStorage } from "@/lib/storage";
import { isPaymentType, type Order, type PaymentType, paymentKinds } from "./kinds";

/** A payment that the player is preparing, passed from screen to screen in the navigation state. */
export interface Draft {
  readonly id?: string;
  readonly type: PaymentType;
  readonly amount: number;
  /** The friend of a boost. */
  readonly userId?: string;
  readonly friendUsername?: string;
  readonly friendName?: string;
  readonly friendPicture?: string;
  readonly subscriptionPackageId?: string;
  /** The name of the package: its tier. */
  readonly packageName?: string;
  readonly paymentMethod?: string;
  readonly paymentMethodId?: string;
  /** The number that pays or is paid by M-Pesa, if the player has typed another than the profile's. */
  readonly mpesaPhoneNumber?: string;
  /** The player who typed the number: it is not offered to another one on the same phone. */
  readonly phoneUid?: string;
  /** The path of the history entry before the payment's screens, which replace each other. */
  readonly previousPath?: string;
}

export function parseType(state: unknown): PaymentType | null {
  const type = typeof state === "object" && state !== null ? (state as Record<string, unknown>).type : null;
  return isPaymentType(type) ? type : null;
}

const TEXTS = [
  "id",
  "userId",
  "friendUsername",
  "friendName",
  "friendPicture",
  "subscriptionPackageId",
  "packageName",
  "paymentMethod",
  "paymentMethodId",
  "mpesaPhoneNumber",
  "phoneUid",
  "previousPath",
] as const satisfies readonly (keyof Draft)[];

/**
 * The texts of a navigation state about a payment, besides its type and amount: the friend, the package, the page
 * before.
 */
export function parseTexts(state: unknown): Omit<Draft, "type" | "amount"> {
  const from = (state ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    TEXTS.filter((name) => typeof from[name] === "string").map((name) => [name, from[name]]),
  );
}

/** Whether a boost names no friend yet. */
export function lacksFriend(state: unknown): boolean {
  const { userId, friendUsername } = parseTexts(state);
  return parseType(state) === "BOOST" && !(userId && friendUsername);
}

/** The draft in a navigation state; null without a valid type and amount. */
export function parseDraft(state: unknown): Draft | null {
  const type = parseType(state);
  if (type === null) return null;
  const { amount } = state as Record<string, unknown>;
  if (typeof amount !== "number" || !Number.isInteger(amount)) return null;
  if (amount < paymentKinds[type].min || amount > paymentKinds[type].max) return null;
  return { type, amount, ...parseTexts(state) };
}

/** The number that a player has typed for a draft; undefined without one, or if another player typed it. */
export function typedPhone({ mpesaPhoneNumber, phoneUid }: Draft, uid: string): string | undefined {
  return phoneUid === uid ? mpesaPhoneNumber : undefined;
}

/**
 * The order to send to the server. The session's player counts: the draft may be from before another player's sign-in.
 */
export function orderOf(draft: Draft, uid: string, phone: string | null): Order {
  const { recipient } = paymentKinds[draft.type];
  return {
    paymentMethodId: draft.paymentMethodId ?? "",
    amount: draft.amount,
    userId: recipient === "friend" && draft.userId ? draft.userId : uid,
    ...(phone === null ? {} : { mpesaPhoneNumber: phone }),
    ...(draft.subscriptionPackageId ? { subscriptionPackageId: draft.subscriptionPackageId } : {}),
  };
}

const PAID_KEY = "paid";

/** Marks a draft as paid, so that the forward gesture does not open its form again. */
export function markPaid({ id }: Draft): void {
  if (id) tabStorage.setItem(PAID_KEY, id);
}

/** Whether a draft is the last paid one. One is enough: starting the next payment cuts off the forward history. */
export function isPaid({ id }: Draft): boolean {
  return id !== undefined && id === tabStorage.getItem(PAID_KEY);
}

export function limitsText(type: PaymentType): string {
  return t("pay.amount.limits", {
    min: formatKes(paymentKinds[type].min),
    max: formatKes(paymentKinds[type].max),
  });
}

/** Appends a digit; null when the amount would exceed the limit. */
export function withDigit(amount: number, digit: number, type: PaymentType): number | null {
  const next = amount * 10 + digit;
  return next > paymentKinds[type].max ? null : next;
}

export function withoutDigit(amount: number): number {
  return Math.floor(amount / 10);
}

export function phoneProblem(phone: string): string | null {
  if (barePhone(phone) === "") return t("profile.phone.required");
  return subscriberOf(phone) ? null : t("pay.confirm.phoneInvalid");
}
