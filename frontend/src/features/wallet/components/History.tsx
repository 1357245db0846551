import { useState } from "react";
import { byDay } from "@/features/wallet/history";
import { useBalance, useHistory, useRefreshWallet } from "@/features/wallet/hooks/useWallet";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Button } from "@/ui/Button";
import { Failed, Stale } from "@/ui/Failed";
import { Skeleton } from "@/ui/Skeleton";
import { Stage } from "@/ui/Stage";
import styles from "./History.module.css";
import { TransactionRow } from "./TransactionRow";

/** The transaction history, grouped by day. Pressing a row opens its receipt. */
export function History() {
  const { history, older } = useHistory();
  const error = useLastError(history);
  // The balance is missing together with the history.
  const refreshWallet = useRefreshWallet();
  const balance = useBalance();
  const isSaidAbove = balance.data !== undefined && balance.isError;
  const [opened, setOpened] = useState<string | null>(null);
  const days = byDay(history.data?.rows ?? [], new Date());
  return (
    <section className={styles.history} aria-labelledby="history">
      <h2 id="history" className={styles.heading}>
        {t("wallet.history")}
      </h2>
      {history.data && !isSaidAbove ? <Stale error={error} at={history.dataUpdatedAt} /> : null}
      {error && !history.data ? (
        <Failed error={error} busy={history.isFetching} onRetry={refreshWallet} />
      ) : !history.data ? (
        <div role="status" aria-label={t("ui.loading")} className={styles.loading}>
          <Skeleton width={64} height={16} />
          <Skeleton height={208} radius={20} />
        </div>
      ) : days.length === 0 ? (
        <Stage pose="look" world="dash" title={t("ui.empty")} text={t("wallet.empty.text")} />
      ) : (
        days.map((day) => (
          <div key={day.title} className={styles.day}>
            <h3 className={styles.dayTitle}>{day.title}</h3>
            <ul className={styles.rows} aria-label={day.title}>
              {day.transactions.map((transaction) => (
                <TransactionRow
                  key={transaction.id}
                  transaction={transaction}
                  isOpen={transaction.id === opened}
                  onToggle={() => setOpened(transaction.id === opened ? null : transaction.id)}
                />
              ))}
            </ul>
          </div>
        ))
      )}
      {history.data?.hasMore ? (
        <Button variant="quiet" busy={older.isPending} onClick={() => older.mutate()}>
          {t("wallet.more")}
        </Button>
      ) : null}
    </section>
  );
}
