import { Download } from "lucide-react";
import { useState } from "react";
import { byDay, isListed } from "@/features/wallet/history";
import { useFriends } from "@/features/wallet/hooks/useFriends";
import { useBalance, useHistory, useRefreshWallet } from "@/features/wallet/hooks/useWallet";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Listing } from "@/ui/Listing";
import { Rows } from "@/ui/Rows";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./History.module.css";
import { TransactionRow } from "./TransactionRow";

/** The transaction history, grouped by day. Pressing a row opens its receipt. */
export function History({ onStatement }: { readonly onStatement?: () => void }) {
  const { history, older } = useHistory();
  // The balance is missing together with the history.
  const refetch = useRefreshWallet();
  const balance = useBalance();
  const isSaidAbove = balance.data !== undefined && balance.isError;
  const [opened, setOpened] = useState<string | null>(null);
  const { error, isSuccess, isFetching, dataUpdatedAt } = history;
  const data = history.data?.rows.filter(isListed);
  const friends = useFriends(data);
  return (
    <section className={styles.history} aria-labelledby="history">
      <div className={styles.head}>
        <h2 id="history" className={styles.heading}>
          {t("wallet.history")}
        </h2>
        {onStatement && data && data.length > 0 ? (
          <Button variant="plain" icon={<Download size={18} aria-hidden="true" />} onClick={onStatement}>
            {t("statement.open")}
          </Button>
        ) : null}
      </div>
      <Listing
        query={{ data, error, isSuccess, isFetching, dataUpdatedAt, refetch }}
        stale={!isSaidAbove}
        skeleton={
          <div className={styles.day}>
            <Skeleton width={64} height={16} />
            <Skeleton height={208} radius={20} />
          </div>
        }
        empty={{ title: t("ui.empty"), text: t("wallet.empty.text"), world: "dash" }}
        more={
          history.data?.hasMore
            ? { label: t("wallet.more"), busy: older.isPending, onLoad: () => older.mutate() }
            : undefined
        }
      >
        {(transactions) => (
          <div className={styles.days}>
            {byDay(transactions, new Date()).map((day) => (
              <div key={day.title} className={styles.day}>
                <h3 className={styles.dayTitle}>{day.title}</h3>
                <Rows label={day.title}>
                  {day.transactions.map((transaction) => (
                    <TransactionRow
                      key={transaction.id}
                      friend={friends.get(transaction.counterpartyId ?? "") ?? null}
                      transaction={transaction}
                      isOpen={transaction.id === opened}
                      onToggle={() => setOpened(transaction.id === opened ? null : transaction.id)}
                    />
                  ))}
                </Rows>
              </div>
            ))}
          </div>
        )}
      </Listing>
    </section>
  );
}
