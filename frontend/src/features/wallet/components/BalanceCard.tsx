import type { ReactNode } from "react";
import { useBalance } from "@/features/wallet/hooks/useWallet";
import { formatAmount, formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { messageOf } from "@/lib/toast";
import { Kiondo } from "@/ui/Kiondo";
import styles from "./BalanceCard.module.css";

/** The card before its code and its data have loaded. */
export function BalanceCardSkeleton() {
  return (
    <section className={styles.card} aria-label={t("wallet.balance")} aria-busy>
      <Kiondo plain="left" />
      <p className={styles.label}>{t("wallet.balance")}</p>
      <p className={styles.amount}>
        <span className={styles.currency}>KES </span>
        <span className={styles.unknown} />
      </p>
      <div className={styles.actions}>
        <span className={styles.action} />
      </div>
    </section>
  );
}

/** The wallet's balance with its actions. */
export function BalanceCard({ actions }: { readonly actions: ReactNode }) {
  const balance = useBalance();
  const { data } = balance;
  const error = useLastError(balance);
  return (
    <section className={styles.card} aria-label={t("wallet.balance")} aria-busy={!data && !error}>
      <Kiondo plain="left" />
      <p className={styles.label}>{t("wallet.balance")}</p>
      {error && !data ? (
        <>
          <p className={styles.amount} data-testid="balance">
            <span className={styles.currency}>KES </span>
            <span role="img" aria-label={t("wallet.unknown")}>
              –
            </span>
          </p>
          <p className={styles.label}>{t("wallet.unknown.text")}</p>
        </>
      ) : (
        <p className={styles.amount} data-testid="balance">
          <span className={styles.currency}>KES </span>
          {data ? formatAmount(data.balance) : <span className={styles.unknown} />}
        </p>
      )}
      {data && data.available !== data.balance ? (
        <p className={styles.label}>{t("wallet.available", { amount: formatKes(data.available) })}</p>
      ) : null}
      {data && error ? (
        <p className={styles.label} role="status">
          {t("wallet.asOf", { time: formatTime(new Date(balance.dataUpdatedAt)), reason: messageOf(error) })}
        </p>
      ) : null}
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}
