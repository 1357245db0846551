import * as z from "zod/mini";
import { asGuest, asPlayer } from "@/lib/http/client";
import { oncePerIntent } from "@/lib/http/idempotency";
import { optional, payloadOf } from "@/lib/http/wire";

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

export async function fetchPayment(paymentId: string): Promise<Payment> {
  return payloadOf(payment, await asPlayer(`/payments/${encodeURIComponent(paymentId)}`));
}

export interface TopUp {
  readonly paymentMethodId: string;
  readonly amount: number;
  readonly mpesaPhoneNumber: string;
  readonly userId: string;
}

/** Asks M-Pesa for money. Sent again with the same content it answers with the same payment. */
export function topUp(body: TopUp): Promise<Payment> {
  const path = "/payments/top-up";
  return oncePerIntent(path, body, async (idempotencyKey) =>
    payloadOf(payment, await asPlayer(path, { method: "POST", body, idempotencyKey })),
  );
}
