import * as z from "zod/mini";
import { type Order, type PaymentType, paymentKinds, typeOf } from "@/features/wallet/kinds";
import { failPendingPayment, pendingPaymentOf, removePendingPayment } from "@/features/wallet/pendingStore";
import { Balance as balance } from "@/gen/api/balance";
import { Payment as payment } from "@/gen/api/payment";
import { PaymentMethod as method } from "@/gen/api/paymentMethod";
import { Transaction as transaction } from "@/gen/api/transaction";
import { announce } from "@/lib/changes";
import { asGuest, asPlayer } from "@/lib/http/client";
import { acceptedResult, releaseKey, withIdempotencyKey } from "@/lib/http/idempotency";
import { parsePayload } from "@/lib/http/wire";
import { t } from "@/lib/i18n/i18n";

export type PaymentMethod = z.infer<typeof method>;
export type Balance = z.infer<typeof balance>;
export type Transaction = z.infer<typeof transaction>;

export const transactionList = z.array(transaction);

export type Payment = z.infer<typeof payment>;
export type PaymentStatus = Payment["status"];

/** Rows per page. A page with fewer rows is the last one. */
export const PAGE_SIZE = 30;

export async function fetchMethods(): Promise<PaymentMethod[]> {
  return parsePayload(z.array(method), await asGuest("/payment-methods/list"));
}

export async function fetchBalance(): Promise<Balance> {
  return parsePayload(balance, await asPlayer("/wallets/balance"));
}

/** A page of the history, newest first: the rows before a cursor, or the newest. */
export async function fetchTransactions(before?: string): Promise<Transaction[]> {
  const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(before ? { before } : {}) });
  return parsePayload(transactionList, await asPlayer(`/wallets/list?${query}`));
}

/** The fee that M-Pesa and PlayOn take for the withdrawal of an amount. */
export async function fetchWithdrawalFee(paymentMethodId: string, amount: number): Promise<number> {
  const path = `/wallets/withdraw-charges/${encodeURIComponent(paymentMethodId)}?amount=${amount}`;
  return parsePayload(z.number(), await asPlayer(path));
}

export function isFinal(status: PaymentStatus): boolean {
  return status === "COMPLETED" || status === "ERROR";
}

/** The status of a payment from a stream or a poll. */
type PaymentNews = Pick<Payment, "paymentId" | "status"> & Partial<Pick<Payment, "message" | "type">>;

/**
 * Applies a payment's status. A final one releases the idempotency key, so that the player can pay the same again, and
 * announces what the payment has changed.
 */
export function applyPaymentStatus({ paymentId, status, message, type }: PaymentNews): void {
  if (!isFinal(status)) return;
  releaseKey(paymentId);
  const known = pendingPaymentOf(paymentId);
  const reason = message || t("waiting.errorText");
  // The stream and a poll may both report the failure.
  if (known && status === "ERROR" && known.failed === reason) return;
  if (status === "ERROR") failPendingPayment(paymentId, reason);
  else removePendingPayment(paymentId);
  const kind = known?.type ?? (type ? typeOf({ type }) : "TOP-UP");
  announce(paymentKinds[kind].onFinal);
}

export async function fetchPayment(paymentId: string): Promise<Payment> {
  const path = `/payments/${encodeURIComponent(paymentId)}`;
  const found = parsePayload(payment, await asPlayer(path));
  applyPaymentStatus(found);
  return found;
}

/** `0712…` and `+254712…` are the same phone for the server, so they get the same fingerprint. */
function fingerprintOf(body: object): string {
  const same = Object.entries(body).map(([name, value]) =>
    name === "mpesaPhoneNumber" && typeof value === "string" ? value.replace(/\D/g, "").slice(-9) : value,
  );
  return JSON.stringify(same);
}

/** Starts a payment of this kind. While an equal payment is in progress, returns that payment instead. */
export async function startPayment(type: PaymentType, order: Order): Promise<Payment> {
  const { endpoint, body: bodyOf, onAccepted } = paymentKinds[type];
  const body = bodyOf(order);
  const fingerprint = fingerprintOf(body);
  const earlier = acceptedResult(endpoint, fingerprint);
  // If the earlier payment has become final, this is a new one. If its status is unknown, the key prevents a double payment.
  if (earlier !== null) await fetchPayment(earlier).catch(() => {});
  const accepted = await withIdempotencyKey({
    path: endpoint,
    fingerprint,
    run: async (idempotencyKey) =>
      parsePayload(payment, await asPlayer(endpoint, { method: "POST", body, idempotencyKey })),
    resultOf: ({ paymentId }) => paymentId,
  });
  if (onAccepted) announce(onAccepted);
  applyPaymentStatus(accepted);
  return accepted;
}
