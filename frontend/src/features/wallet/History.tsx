import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import type { Transaction } from "@/features/wallet/api";
import { byDay, directionOf } from "@/features/wallet/history";
import { useHistory, useRefreshWallet } from "@/features/wallet/useWallet";
import { formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { useLastError } from "@/lib/recovery";
import { Button } from "@/ui/Button";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Notice } from "@/ui/Notice";
import { RowButton, Rows } from "@/ui/Rows";
import { Skeleton } from "@/ui/Skeleton";
import { EmptyWalletArt } from "./EmptyWalletArt";
import styles from "./History.module.css";

const Receipt = lazyOverlay(async () => (await import("./Receipt")).Receipt);

function TransactionRow({
  transaction,
  onOpen,
}: {
  readonly transaction: Transaction;
  readonly onOpen: () => void;
}) {
  const direction = directionOf(transaction);
  const credit = direction === "credit";
  const Glyph = credit ? ArrowDownLeft : ArrowUpRight;
  return (
    <RowButton
      icon={
        <Glyph
          className={styles[direction]}
          size={20}
          strokeWidth={2}
          aria-label={t(`wallet.${direction}`)}
        />
      }
      title={t(`wallet.${transaction.transactionDesc}`)}
      detail={[transaction.detail, formatTime(new Date(transaction.createdAt))].filter(Boolean).join(" · ")}
      trailing={
        <span className={`${styles.amount} ${styles[direction]}`}>
          {credit ? "+" : "−"}
          {formatKes(transaction.amount)}
        </span>
      }
      onClick={onOpen}
    />
  );
}

/** The transaction history, grouped by day. Tapping a line opens its receipt. */
export function History() {
  const { history, older } = useHistory();
  const error = useLastError(history);
  // The balance is missing together with the history.
  const refreshWallet = useRefreshWallet();
  const overlay = useOverlay();
  const transactions = history.data?.rows ?? [];
  const days = byDay(transactions, new Date());
  const opened = transactions.find(({ id }) => overlay.current === `receipt/${id}`);
  return (
    <section className={styles.history} aria-labelledby="history">
      <h2 id="history" className={styles.heading}>
        {t("wallet.history")}
      </h2>
      {error && !history.data ? (
        <Failed error={error} busy={history.isFetching} onRetry={refreshWallet} />
      ) : !history.data ? (
        <div role="status" aria-label={t("ui.loading")} className={styles.loading}>
          <Skeleton width={80} height={16} />
          <Skeleton height={192} radius={20} />
        </div>
      ) : days.length === 0 ? (
        <Notice art={<EmptyWalletArt />} title={t("ui.empty")} text={t("wallet.empty.text")} />
      ) : (
        days.map((day) => (
          <div key={day.title} className={styles.day}>
            <h3 className={styles.dayTitle}>{day.title}</h3>
            <Rows label={day.title}>
              {day.transactions.map((transaction) => (
                <TransactionRow
                  key={transaction.id}
                  transaction={transaction}
                  onOpen={() => overlay.show(`receipt/${transaction.id}`)}
                />
              ))}
            </Rows>
          </div>
        ))
      )}
      {history.data?.hasMore ? (
        <Button variant="quiet" busy={older.isPending} onClick={() => older.mutate()}>
          {t("wallet.more")}
        </Button>
      ) : null}
      {opened ? <Receipt transaction={opened} onClose={overlay.hide} /> : null}
    </section>
  );
}
