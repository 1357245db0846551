import type { Friend } from "@/features/wallet/api/friends";
import type { Transaction } from "@/features/wallet/api/requests";
import { directionOf, receiptOf } from "@/features/wallet/history";
import { formatDate, formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import styles from "./Receipt.module.css";
import { ReceiptActions } from "./ReceiptActions";
import { Stub, StubFact } from "./Ticket";

interface ReceiptProps {
  readonly transaction: Transaction;
  /** The other player of a boost, once known. */
  readonly friend?: Friend | null;
}

/** Returns the balance once the tax was taken, too. */
function afterTax(balance: number, tax: number | null): number {
  // Subtract in cents: floating point does not subtract fractions exactly.
  return (Math.round(balance * 100) - Math.round((tax ?? 0) * 100)) / 100;
}

/** The details of one transaction, as the stub of its row. */
export function Receipt({ transaction, friend = null }: ReceiptProps) {
  const at = new Date(transaction.createdAt);
  const provider = receiptOf(transaction);
  const isCredit = directionOf(transaction) === "credit";
  return (
    <>
      <Stub label={t("receipt.title")}>
        {provider ? <StubFact name={t("receipt.provider")}>{provider}</StubFact> : null}
        <StubFact name={t("receipt.amount")}>{formatKes(transaction.amount)}</StubFact>
        {friend ? (
          <StubFact name={t(isCredit ? "receipt.from" : "receipt.to")}>
            {friend.name === friend.username ? null : friend.name} @{friend.username}
          </StubFact>
        ) : null}
        <StubFact name={t("receipt.when")}>
          {formatDate(at)}, {formatTime(at)}
        </StubFact>
        {transaction.detail ? <StubFact name={t("receipt.detail")}>{transaction.detail}</StubFact> : null}
        {/* Top-ups are free. The fee of a withdrawal is part of its amount in the history. */}
        {transaction.kind === "TOP_UP" ? <StubFact name={t("receipt.fee")}>{formatKes(0)}</StubFact> : null}
        {transaction.tax ? <StubFact name={t("receipt.tax")}>{formatKes(transaction.tax)}</StubFact> : null}
        {typeof transaction.balanceAfter === "number" ? (
          <StubFact name={t("receipt.balance")}>
            {formatKes(afterTax(transaction.balanceAfter, transaction.tax))}
          </StubFact>
        ) : null}
        <StubFact name={t("receipt.id")}>
          <span className={styles.id}>{transaction.id}</span>
        </StubFact>
        <StubFact name={t("receipt.status")}>
          <span className={styles.done}>{t("receipt.completed")}</span>
        </StubFact>
      </Stub>
      <ReceiptActions transaction={transaction} />
    </>
  );
}
