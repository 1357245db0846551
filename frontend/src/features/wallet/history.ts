import { PAGE_SIZE, type Transaction } from "@/features/wallet/api/requests";
import { formatDay } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";

export type Direction = "credit" | "debit";

/** The rows that have been fetched, newest first and without a gap. */
export interface TransactionList {
  readonly rows: readonly Transaction[];
  /** Whether the server may have older rows. */
  readonly hasMore: boolean;
}

function withoutKnown(rows: readonly Transaction[], known: readonly Transaction[]): readonly Transaction[] {
  const ids = new Set(known.map(({ id }) => id));
  return rows.filter(({ id }) => !ids.has(id));
}

/**
 * Returns a list with the newest page fetched again. Older rows stay, unless there would be a gap between the page and
 * them: then they are dropped, to be loaded again on request.
 */
export function withNewest(
  list: TransactionList | undefined,
  newest: readonly Transaction[],
): TransactionList {
  const older = withoutKnown(list?.rows ?? [], newest);
  const isFull = newest.length >= PAGE_SIZE;
  if (!list || !isFull || older.length === list.rows.length) return { rows: newest, hasMore: isFull };
  return { rows: [...newest, ...older], hasMore: list.hasMore || older.length === 0 };
}

/** A list with the next older page. Rows that were shifted into the page by newer ones are known already. */
export function withOlder(list: TransactionList, page: readonly Transaction[]): TransactionList {
  return { rows: [...list.rows, ...withoutKnown(page, list.rows)], hasMore: page.length >= PAGE_SIZE };
}

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

/** The title of a transaction. A boost has one for the player who sent it, and one for the friend. */
export function titleOf({ kind, transactionDesc }: Pick<Transaction, "kind" | "transactionDesc">): string {
  const isReceived = kind === "BOOST" && directionOf({ transactionDesc }) === "credit";
  return t(isReceived ? "wallet.boostReceived" : `wallet.${kind}`);
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
