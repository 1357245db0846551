import type { ReactNode } from "react";
import { useBalance } from "@/features/wallet/useWallet";
import { formatAmount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Kiondo } from "@/ui/Kiondo";
import styles from "./BalanceCard.module.css";

/** The wallet's balance with its actions. */
export function BalanceCard({ actions }: { readonly actions: ReactNode }) {
  const { data, isPending, error, refetch } = useBalance();
  return (
    <section className={styles.card} aria-label={t("wallet.balance")} aria-busy={isPending}>
      <Kiondo plain="left" />
      <p className={styles.label}>{t("wallet.balance")}</p>
      {error && !data ? (
        <div className={styles.failed} role="alert">
          <p>{messageOf(error)}</p>
          <Button variant="hero" onClick={() => void refetch()}>
            {t("ui.retry")}
          </Button>
        </div>
      ) : (
        <p className={styles.amount} data-testid="balance">
          <span className={styles.currency}>KES </span>
          {data ? formatAmount(data.balance) : <span className={styles.unknown} />}
        </p>
      )}
      {data && data.available !== data.balance ? (
        <p className={styles.label}>{t("wallet.available", { amount: formatKes(data.available) })}</p>
      ) : null}
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}
