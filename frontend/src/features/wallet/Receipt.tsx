import type { Transaction } from "@/features/wallet/api";
import { directionOf, receiptOf } from "@/features/wallet/history";
import { formatDate, formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Dialog } from "@/ui/Dialog";
import { Fact, Facts } from "@/ui/Rows";
import styles from "./Receipt.module.css";

interface ReceiptProps {
  readonly transaction: Transaction;
  readonly onClose: () => void;
}

/** The details of one transaction. */
export function Receipt({ transaction, onClose }: ReceiptProps) {
  const at = new Date(transaction.createdAt);
  const provider = receiptOf(transaction);
  const direction = directionOf(transaction);
  return (
    <Dialog shape="sheet" title={t("receipt.title")} onClose={onClose}>
      <p className={`${styles.amount} ${styles[direction]}`}>
        {direction === "credit" ? "+" : "−"}
        {formatKes(transaction.amount)}
      </p>
      <Facts>
        <Fact name={t("receipt.status")}>{t("receipt.completed")}</Fact>
        <Fact name={t("receipt.type")}>{t(`wallet.${transaction.transactionDesc}`)}</Fact>
        {transaction.detail ? <Fact name={t("receipt.detail")}>{transaction.detail}</Fact> : null}
        <Fact name={t("receipt.when")}>
          {formatDate(at)}, {formatTime(at)}
        </Fact>
        {/* Top-ups are free. Other transactions show their fee once the gateway sends it. */}
        {transaction.transactionDesc === "TOPUP_WALLET" ? (
          <Fact name={t("receipt.fee")}>{formatKes(0)}</Fact>
        ) : null}
        {provider ? <Fact name={t("receipt.provider")}>{provider}</Fact> : null}
        {typeof transaction.balanceAfter === "number" ? (
          <Fact name={t("receipt.balance")}>{formatKes(transaction.balanceAfter)}</Fact>
        ) : null}
        <Fact name={t("receipt.id")}>
          <span className={styles.id}>{transaction.id}</span>
        </Fact>
      </Facts>
    </Dialog>
  );
}
