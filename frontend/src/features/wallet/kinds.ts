import type { Payment } from "@/gen/api/payment";
import type { Subscribe } from "@/gen/api/subscribe";
import type { TopUp } from "@/gen/api/topUp";
import type { Withdrawal } from "@/gen/api/withdrawal";
import type { Change } from "@/lib/changes";
import type { Key } from "@/lib/i18n/i18n";

/**
 * What the review asks for once a method is chosen: a phone number, nothing, or the consent to charge airtime. The last
 * one is a notice that the method is coming.
 */
export type NextStep = "phone" | "nothing" | "airtime" | "soon";

/** The payment methods by the server's codes. A method that is not listed here is not offered. */
export const paymentMethods = {
  MPESA: "phone",
  CARD: "nothing",
  WALLET: "nothing",
  SAFARICOM_CREDIT: "airtime",
  PAYPAL: "soon",
} as const satisfies Record<string, NextStep>;

export type MethodCode = keyof typeof paymentMethods;

export function isMethod(code: string): code is MethodCode {
  return Object.keys(paymentMethods).includes(code);
}

/**
 * A payment as the player has put it together. The beneficiary is the signed-in player unless the kind names another.
 */
export type Order = Readonly<
  Pick<TopUp, "paymentMethodId" | "amount"> & {
    userId: string;
    mpesaPhoneNumber?: string;
    subscriptionPackageId?: string;
  }
>;

interface PaymentKind {
  readonly label: Key;
  readonly endpoint: string;
  readonly body: (order: Order) => TopUp | Withdrawal | Subscribe;
  /** The methods that the specification offers for this kind, and those that are coming, if the server lists them. */
  readonly methods: readonly MethodCode[];
  /** Limits in whole shillings, the unit of M-Pesa. */
  readonly min: number;
  readonly max: number;
  /** Why a larger amount is not accepted, with `{max}`. */
  readonly over: Key;
  /** The text of the row of an open or failed payment, with `{amount}`. */
  readonly pending: Key;
  readonly failed: Key;
  /** The text of a completed payment, with `{amount}`, and without it if the amount is not known. */
  readonly completed: Key;
  readonly completedPlain: Key;
  /** The title while the payment is open and no prompt is on a phone. */
  readonly sending: Key;
  /** The texts of the steps: the request, then the player's or M-Pesa's part, then the end. */
  readonly steps: readonly [Key, Key, Key];
  readonly thanksTitle: Key;
  readonly thanksText: Key;
  /** The page that follows the payment. */
  readonly leadsTo: "wallet" | "subscriptions";
  /** Whose wallet is credited or charged: the signed-in player's, or that of the friend in the draft. */
  readonly recipient: "self" | "friend";
  /** The change that the payment causes when it starts, if any, and the one when it is final. */
  readonly onAccepted: Change | null;
  readonly onFinal: Change;
}

const pin = "waiting.step.pin";
const request = "waiting.step.request";

const toWallet = {
  sending: "waiting.sending",
  pending: "wallet.pending",
  failed: "wallet.failed",
  completed: "waiting.completedText",
  completedPlain: "waiting.completedPlain",
} as const;

const outOfWallet = {
  sending: "waiting.sending",
  pending: "wallet.pending",
  failed: "wallet.failedOut",
  completed: "waiting.completedOut",
  completedPlain: "waiting.completedOutPlain",
} as const;

/** Money into the wallet that `userId` names: the player's own, or a friend's. */
const topUp = {
  endpoint: "/payments/top-up",
  body: ({ paymentMethodId, amount, mpesaPhoneNumber, userId }: Order): TopUp => ({
    paymentMethodId,
    amount,
    mpesaPhoneNumber,
    userId,
  }),
} as const;

/** Everything that differs between the kinds of payment: the screens of a payment read it from here. */
export const paymentKinds = {
  "TOP-UP": {
    ...toWallet,
    ...topUp,
    label: "pay.topUp",
    steps: [request, pin, "waiting.step.wallet"],
    methods: ["MPESA", "CARD", "PAYPAL"],
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
    sending: "waiting.sendingOut",
    steps: [request, "waiting.step.mpesa", "waiting.step.sent"],
    endpoint: "/wallets/withdraw",
    body: ({ paymentMethodId, amount, mpesaPhoneNumber = "" }: Order): Withdrawal => ({
      paymentMethodId,
      amount,
      mpesaPhoneNumber,
    }),
    methods: ["MPESA"],
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
    ...topUp,
    label: "pay.boost",
    steps: [request, pin, "waiting.step.sent"],
    methods: ["MPESA", "CARD", "WALLET", "PAYPAL"],
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
    completed: "waiting.completedSubscription",
    completedPlain: "waiting.completedSubscription",
    steps: [request, pin, "waiting.step.subscribed"],
    endpoint: "/payments/subscribe",
    body: ({ paymentMethodId, subscriptionPackageId = "", mpesaPhoneNumber }: Order): Subscribe => ({
      paymentMethodId,
      subscriptionPackageId,
      mpesaPhoneNumber,
    }),
    methods: ["MPESA", "CARD", "WALLET", "SAFARICOM_CREDIT", "PAYPAL"],
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
  return typeof value === "string" && Object.keys(paymentKinds).includes(value);
}

/** Returns the step after the choice of a method; null when the kind does not offer the method. */
export function nextStep(type: PaymentType, code: string): NextStep | null {
  const offered: readonly string[] = paymentKinds[type].methods;
  return isMethod(code) && offered.includes(code) ? paymentMethods[code] : null;
}

/** The types as the server names them. */
const wireTypes = {
  TOPUP: "TOP-UP",
  BOOST: "BOOST",
  WITHDRAWAL: "WITHDRAWAL",
  SUBSCRIPTION: "SUBSCRIPTION",
} as const satisfies Record<Payment["type"], PaymentType>;

export function typeOf({ type }: Pick<Payment, "type">): PaymentType {
  return wireTypes[type];
}

/** Safaricom airtime pays for this package alone. */
const AIRTIME_PACKAGE = /^bronze$/i;

/** Whether airtime is offered and cannot pay for this package. */
export function isAirtimeRefused(code: string, packageName: string | undefined): boolean {
  return code === "SAFARICOM_CREDIT" && !AIRTIME_PACKAGE.test(packageName ?? "");
}

/** Whether a method pays for this kind of payment, and for this package, today. */
export function canPay(type: PaymentType, code: string, packageName: string | undefined): boolean {
  const step = nextStep(type, code);
  return step !== null && step !== "soon" && !isAirtimeRefused(code, packageName);
}
