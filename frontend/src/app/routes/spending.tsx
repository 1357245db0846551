import { useQuery } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { findSpending, limitIn, overlayOf } from "@/features/spending/model";
import { spendingQuery } from "@/features/spending/queries";
import { SpendingRows } from "@/features/spending/SpendingRows";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";

const LimitSheet = lazyOverlay(async () => (await import("@/features/spending/LimitSheet")).LimitSheet);

/** What the player spends and wins, and the limits that the player sets. */
export function Component() {
  const overlay = useOverlay();
  const query = useQuery(spendingQuery);
  const of = limitIn(overlay.current ?? null);
  const spending = of && findSpending(query.data, of);
  return (
    <Screen title={t("spending.screen")} back={paths.account}>
      <p>{t("spending.text")}</p>
      {query.isPending ? <Skeleton height={240} /> : null}
      {query.error && !query.data ? (
        <Failed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data?.map((period) => (
        <SpendingRows
          key={period.period}
          period={period}
          onLimit={(limit) => overlay.show(overlayOf(limit))}
        />
      ))}
      {of && spending ? <LimitSheet of={of} spending={spending} onClose={overlay.hide} /> : null}
    </Screen>
  );
}
