import { ArrowDownLeft, ArrowUpRight, Gift, type LucideIcon, Zap } from "lucide-react";
import { useId } from "react";
import type { Transaction } from "@/features/wallet/api/requests";
import { directionOf } from "@/features/wallet/history";
import { formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import styles from "./History.module.css";
import { Receipt } from "./Receipt";

type Kind = Transaction["transactionDesc"];

const looks: Readonly<Record<Kind, { readonly Glyph: LucideIcon; readonly look: string }>> = {
  TOPUP_WALLET: { Glyph: ArrowDownLeft, look: "credit" },
  WITHDRAW_WALLET: { Glyph: ArrowUpRight, look: "debit" },
  BOOST_FRIEND: { Glyph: Gift, look: "debit" },
  SUBSCRIPTION: { Glyph: Zap, look: "pass" },
};

interface TransactionRowProps {
  readonly transaction: Transaction;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One transaction. Pressing it opens its receipt below, like the stub of a ticket. */
export function TransactionRow({ transaction, isOpen, onToggle }: TransactionRowProps) {
  const receipt = useId();
  const isCredit = directionOf(transaction) === "credit";
  const { Glyph, look } = looks[transaction.transactionDesc];
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? receipt : undefined}
        onClick={onToggle}
      >
        <span className={styles.glyph} data-look={look}>
          <Glyph size={22} strokeWidth={2.25} aria-label={t(isCredit ? "wallet.credit" : "wallet.debit")} />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>{t(`wallet.${transaction.transactionDesc}`)}</span>
          <span className={styles.detail}>
            {[transaction.detail, formatTime(new Date(transaction.createdAt))].filter(Boolean).join(" · ")}
          </span>
        </span>
        <span className={`${styles.amount} ${isCredit ? styles.credit : ""}`}>
          {isCredit ? "+" : "−"}
          {formatKes(transaction.amount)}
        </span>
      </button>
      {isOpen ? (
        <div className={styles.receipt}>
          <Receipt id={receipt} transaction={transaction} />
        </div>
      ) : null}
    </li>
  );
}
