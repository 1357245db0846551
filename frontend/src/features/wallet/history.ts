import { formatDay } from "@/lib/format";
import type { Transaction } from "./api";

export type Direction = "credit" | "debit";

export interface Day {
  readonly title: string;
  readonly transactions: readonly Transaction[];
}

/** A transaction is listed when it has a payment or a payout and each present one was successful. */
export function isListed({ payment, payout }: Pick<Transaction, "payment" | "payout">): boolean {
  if (!payment && !payout) return false;
  return (payment?.successful ?? true) && (payout?.successful ?? true);
}

export function directionOf({ transactionDesc }: Pick<Transaction, "transactionDesc">): Direction {
  return transactionDesc === "TOPUP_WALLET" ? "credit" : "debit";
}

export function receiptOf({ payment, payout }: Pick<Transaction, "payment" | "payout">): string | null {
  return payment?.receipt ?? payout?.receipt ?? null;
}

/** The listed transactions by day, in the given order (newest first). */
export function byDay(transactions: readonly Transaction[], now: Date): Day[] {
  const days = new Map<string, Transaction[]>();
  for (const transaction of transactions.filter(isListed)) {
    const title = formatDay(new Date(transaction.createdAt), now);
    const day = days.get(title);
    if (day) day.push(transaction);
    else days.set(title, [transaction]);
  }
  return [...days].map(([title, listed]) => ({ title, transactions: listed }));
}
