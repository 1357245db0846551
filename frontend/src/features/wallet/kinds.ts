import type { Change } from "@/lib/changes";
import type { Key } from "@/lib/i18n/i18n";

/** The codes of the payment methods that the specification names. */
export type MethodCode = "WALLET" | "MPESA" | "CARD" | "SAFARICOM_CREDIT" | "PAYPAL";

/**
 * What follows the choice of a method: the confirmation with a phone number, the confirmation without one, the airtime
 * screen, or a notice that the method is coming.
 */
export type NextStep = "phone" | "confirm" | "airtime" | "soon";

/** A payment as the player has put it together. The player is the signed-in one unless the kind names another. */
export interface Order {
  readonly paymentMethodId: string;
  readonly amount: number;
  readonly userId: string;
  readonly mpesaPhoneNumber?: string;
  readonly subscriptionPackageId?: string;
}

type Body = Readonly<Record<string, string | number | undefined>>;

interface PaymentKind {
  readonly label: Key;
  readonly endpoint: string;
  readonly body: (order: Order) => Body;
  /** The methods that the specification offers for this kind. A method that is not listed is not offered. */
  readonly methods: Readonly<Partial<Record<MethodCode, NextStep>>>;
  /** Limits in whole shillings, the unit of M-Pesa. */
  readonly min: number;
  readonly max: number;
  /** Why a larger amount is not accepted, with `{max}`. */
  readonly over: Key;
  /** The row of a payment that is open, or that failed, with `{amount}`. */
  readonly pending: Key;
  readonly failed: Key;
  /** That the payment is completed: with `{amount}`, and without it where the amount is not known. */
  readonly completed: Key;
  readonly completedPlain: Key;
  /** What happens on the way: the request, then the player's or M-Pesa's part, then the end. */
  readonly steps: readonly [Key, Key, Key];
  readonly thanksTitle: Key;
  readonly thanksText: Key;
  /** The page that follows the payment. */
  readonly leadsTo: "wallet" | "subscriptions";
  /** Whose wallet the money goes to, or is taken from: the signed-in player's, or that of the friend in the draft. */
  readonly recipient: "self" | "friend";
  /** What the payment changes when it starts, if anything, and when it is final. */
  readonly onAccepted: Change | null;
  readonly onFinal: Change;
}

const pin = "waiting.step.pin";
const request = "waiting.step.request";

const toWallet = {
  pending: "wallet.pending",
  failed: "wallet.failed",
  completed: "waiting.completedText",
  completedPlain: "waiting.completedPlain",
} as const;

const outOfWallet = {
  pending: "wallet.pending",
  failed: "wallet.failedOut",
  completed: "waiting.completedOut",
  completedPlain: "waiting.completedOutPlain",
} as const;

/** Everything that differs between the kinds of payment: the screens of a payment read it from here. */
export const paymentKinds = {
  "TOP-UP": {
    ...toWallet,
    label: "pay.topUp",
    steps: [request, pin, "waiting.step.wallet"],
    endpoint: "/payments/top-up",
    body: ({ paymentMethodId, amount, mpesaPhoneNumber, userId }) => ({
      paymentMethodId,
      amount,
      mpesaPhoneNumber,
      userId,
    }),
    methods: { MPESA: "phone", CARD: "soon" },
    min: 1,
    max: 250_000,
    over: "pay.amount.over",
    thanksTitle: "completion.thanks",
    thanksText: "completion.topUp",
    leadsTo: "wallet",
    recipient: "self",
    onAccepted: null,
    onFinal: "wallet/moved",
  },
  WITHDRAWAL: {
    ...outOfWallet,
    label: "pay.withdrawal",
    steps: [request, "waiting.step.mpesa", "waiting.step.sent"],
    endpoint: "/wallets/withdraw",
    body: ({ paymentMethodId, amount, mpesaPhoneNumber }) => ({ paymentMethodId, amount, mpesaPhoneNumber }),
    methods: { MPESA: "phone" },
    min: 10,
    max: 250_000,
    over: "pay.amount.overWithdrawal",
    thanksTitle: "completion.thanks",
    thanksText: "completion.withdrawal",
    leadsTo: "wallet",
    recipient: "self",
    // The amount and its fee are held from the start, and given back when the withdrawal fails.
    onAccepted: "wallet/moved",
    onFinal: "wallet/moved",
  },
  BOOST: {
    ...outOfWallet,
    label: "pay.boost",
    steps: [request, pin, "waiting.step.sent"],
    endpoint: "/payments/top-up",
    body: ({ paymentMethodId, amount, mpesaPhoneNumber, userId }) => ({
      paymentMethodId,
      amount,
      mpesaPhoneNumber,
      userId,
    }),
    methods: { MPESA: "phone", CARD: "soon", WALLET: "confirm" },
    min: 1,
    max: 250_000,
    over: "pay.amount.overBoost",
    thanksTitle: "completion.boostTitle",
    thanksText: "completion.boost",
    leadsTo: "wallet",
    recipient: "friend",
    onAccepted: null,
    onFinal: "wallet/moved",
  },
  SUBSCRIPTION: {
    ...outOfWallet,
    label: "pay.subscription",
    steps: [request, pin, "waiting.step.subscribed"],
    endpoint: "/payments/subscribe",
    body: ({ paymentMethodId, subscriptionPackageId, mpesaPhoneNumber }) => ({
      paymentMethodId,
      subscriptionPackageId,
      mpesaPhoneNumber,
    }),
    methods: { MPESA: "phone", CARD: "soon", WALLET: "confirm", SAFARICOM_CREDIT: "airtime" },
    min: 1,
    max: 250_000,
    over: "pay.amount.over",
    thanksTitle: "completion.thanks",
    thanksText: "completion.subscription",
    leadsTo: "subscriptions",
    recipient: "self",
    onAccepted: null,
    onFinal: "subscription/bought",
  },
} as const satisfies Record<string, PaymentKind>;

export type PaymentType = keyof typeof paymentKinds;

export function isPaymentType(value: unknown): value is PaymentType {
  return typeof value === "string" && Object.hasOwn(paymentKinds, value);
}

/** What follows the choice of a method; null when the kind does not offer it. */
export function nextStep(type: PaymentType, method: string): NextStep | null {
  const methods: PaymentKind["methods"] = paymentKinds[type].methods;
  return Object.hasOwn(methods, method) ? (methods[method as MethodCode] ?? null) : null;
}
