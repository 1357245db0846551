import * as z from "zod/mini";
import { asGuest, asPlayer } from "@/lib/http/client";
import { acceptedBefore, oncePerIntent, settle } from "@/lib/http/idempotency";
import { optional, payloadOf } from "@/lib/http/wire";
import { t } from "@/lib/i18n/i18n";
import { failUnderway, forgetUnderway } from "./underway";

const method = z.object({ id: z.string(), name: z.string(), code: z.string() });
export type PaymentMethod = z.infer<typeof method>;

const balance = z.object({ balance: z.number(), available: z.number() });
export type Balance = z.infer<typeof balance>;

const transaction = z.object({
  id: z.string(),
  transactionDesc: z.enum(["TOPUP_WALLET", "WITHDRAW_WALLET", "BOOST_FRIEND", "SUBSCRIPTION"]),
  amount: z.number(),
  balanceAfter: optional(z.number()),
  detail: optional(z.string()),
  createdAt: z.string(),
  payment: optional(z.object({ successful: z.boolean(), receipt: optional(z.string()) })),
  payout: optional(z.object({ successful: z.boolean(), receipt: optional(z.string()) })),
});
export type Transaction = z.infer<typeof transaction>;

const payment = z.object({
  paymentId: z.string(),
  status: z.enum(["PENDING", "IN_PROGRESS", "COMPLETED", "ERROR"]),
  message: optional(z.string()),
  amount: z.number(),
});
export type Payment = z.infer<typeof payment>;
export type PaymentStatus = Payment["status"];

/** The server's page size; a page that is not full is the last. */
export const PAGE_SIZE = 100;

export async function fetchMethods(): Promise<PaymentMethod[]> {
  return payloadOf(z.array(method), await asGuest("/payment-methods/list"));
}

export async function fetchBalance(): Promise<Balance> {
  return payloadOf(balance, await asPlayer("/wallets/balance"));
}

export async function fetchTransactions(page: number): Promise<Transaction[]> {
  const query = new URLSearchParams({ page: String(page), pageSize: String(PAGE_SIZE) });
  return payloadOf(z.array(transaction), await asPlayer(`/wallets/list?${query}`));
}

export function isFinal(status: PaymentStatus): boolean {
  return status === "COMPLETED" || status === "ERROR";
}

/** Whoever hears from the server how a payment stands says so here: after its end the same may be paid again. */
export function heardOf({ paymentId, status, message }: Omit<Payment, "amount">): void {
  if (!isFinal(status)) return;
  settle(paymentId);
  if (status === "ERROR") failUnderway(paymentId, message || t("waiting.errorText"));
  else forgetUnderway(paymentId);
}

export async function fetchPayment(paymentId: string): Promise<Payment> {
  const path = `/payments/${encodeURIComponent(paymentId)}`;
  const found = payloadOf(payment, await asPlayer(path));
  heardOf(found);
  return found;
}

export interface TopUp {
  readonly paymentMethodId: string;
  readonly amount: number;
  readonly mpesaPhoneNumber: string;
  readonly userId: string;
}

const TOP_UP = "/payments/top-up";

/** One purpose has one spelling: `0712…` and `+254712…` are the same phone, and the server takes them for it. */
function fingerprintOf({ paymentMethodId, amount, mpesaPhoneNumber, userId }: TopUp): string {
  const subscriber = mpesaPhoneNumber.replace(/\D/g, "").slice(-9);
  return JSON.stringify([paymentMethodId, amount, subscriber, userId]);
}

/** Asks M-Pesa for money. Asked again for the same, while that payment is under way, it answers with that payment. */
export async function topUp(body: TopUp): Promise<Payment> {
  const fingerprint = fingerprintOf(body);
  const earlier = acceptedBefore(TOP_UP, fingerprint);
  // One that ended while nobody watched is over, and this is another. Where that cannot be known, the key decides.
  if (earlier !== null) await fetchPayment(earlier).catch(() => {});
  const accepted = await oncePerIntent({
    path: TOP_UP,
    fingerprint,
    run: async (idempotencyKey) =>
      payloadOf(payment, await asPlayer(TOP_UP, { method: "POST", body, idempotencyKey })),
    resultOf: ({ paymentId }) => paymentId,
  });
  heardOf(accepted);
  return accepted;
}
