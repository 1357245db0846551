import * as z from "zod/mini";
import { asGuest, asPlayer } from "@/lib/http/client";
import { acceptedResult, releaseKey, withIdempotencyKey } from "@/lib/http/idempotency";
import { optional, parsePayload } from "@/lib/http/wire";
import { t } from "@/lib/i18n/i18n";
import { failPendingPayment, removePendingPayment } from "./pendingStore";

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

/** The server's default page size. A page with fewer rows is the last one. */
export const PAGE_SIZE = 100;

export async function fetchMethods(): Promise<PaymentMethod[]> {
  return parsePayload(z.array(method), await asGuest("/payment-methods/list"));
}

export async function fetchBalance(): Promise<Balance> {
  return parsePayload(balance, await asPlayer("/wallets/balance"));
}

export async function fetchTransactions(page: number): Promise<Transaction[]> {
  const query = new URLSearchParams({ page: String(page), pageSize: String(PAGE_SIZE) });
  return parsePayload(z.array(transaction), await asPlayer(`/wallets/list?${query}`));
}

export function isFinal(status: PaymentStatus): boolean {
  return status === "COMPLETED" || status === "ERROR";
}

/** Applies a payment's status. A final one releases the idempotency key, so that the player can pay the same again. */
export function applyPaymentStatus({ paymentId, status, message }: Omit<Payment, "amount">): void {
  if (!isFinal(status)) return;
  releaseKey(paymentId);
  if (status === "ERROR") failPendingPayment(paymentId, message || t("waiting.errorText"));
  else removePendingPayment(paymentId);
}

export async function fetchPayment(paymentId: string): Promise<Payment> {
  const path = `/payments/${encodeURIComponent(paymentId)}`;
  const found = parsePayload(payment, await asPlayer(path));
  applyPaymentStatus(found);
  return found;
}

export interface TopUp {
  readonly paymentMethodId: string;
  readonly amount: number;
  readonly mpesaPhoneNumber: string;
  readonly userId: string;
}

const TOP_UP = "/payments/top-up";

/** `0712…` and `+254712…` are the same phone for the server, so they get the same fingerprint. */
function fingerprintOf({ paymentMethodId, amount, mpesaPhoneNumber, userId }: TopUp): string {
  const subscriber = mpesaPhoneNumber.replace(/\D/g, "").slice(-9);
  return JSON.stringify([paymentMethodId, amount, subscriber, userId]);
}

/** Requests an M-Pesa top-up. While an equal one is in progress, returns that payment instead. */
export async function topUp(body: TopUp): Promise<Payment> {
  const fingerprint = fingerprintOf(body);
  const earlier = acceptedResult(TOP_UP, fingerprint);
  // If the earlier payment has become final, this is a new one. If its status is unknown, the key prevents a double payment.
  if (earlier !== null) await fetchPayment(earlier).catch(() => {});
  const accepted = await withIdempotencyKey({
    path: TOP_UP,
    fingerprint,
    run: async (idempotencyKey) =>
      parsePayload(payment, await asPlayer(TOP_UP, { method: "POST", body, idempotencyKey })),
    resultOf: ({ paymentId }) => paymentId,
  });
  applyPaymentStatus(accepted);
  return accepted;
}
