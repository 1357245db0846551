import { useQuery } from "@tanstack/react-query";
import { Moon } from "lucide-react";
import { paths } from "@/app/paths";
import { findSpending, limitIn, overlayOf } from "@/features/spending/model";
import { spendingQuery } from "@/features/spending/queries";
import { SpendingRows } from "@/features/spending/SpendingRows";
import { serverNow } from "@/lib/clock";
import { formatDate, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { usePlayer } from "@/lib/session/useSession";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { RowButton, Rows } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";
import { Tile } from "@/ui/Tile";

const BREAK = "break";
const BreakSheet = lazyOverlay(async () => (await import("@/app/dialogs/BreakSheet")).BreakSheet);
const LimitSheet = lazyOverlay(async () => (await import("@/features/spending/LimitSheet")).LimitSheet);

/** What the player spends and wins, and the limits that the player sets. */
export function Component() {
  const overlay = useOverlay();
  const query = useQuery(spendingQuery);
  const of = limitIn(overlay.current ?? null);
  const spending = of && findSpending(query.data, of);
  const until = new Date(usePlayer()?.breakUntil ?? 0);
  const isOnBreak = until.getTime() > serverNow();
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
      <Rows label={t("break.title")}>
        <RowButton
          icon={
            <Tile tone="coral">
              <Moon size={22} strokeWidth={2.25} aria-hidden="true" />
            </Tile>
          }
          title={isOnBreak ? t("break.longer") : t("break.title")}
          detail={
            isOnBreak
              ? t("break.until", { at: `${formatDate(until)}, ${formatTime(until)}` })
              : t("break.hint")
          }
          onClick={() => overlay.show(BREAK)}
        />
      </Rows>
      {overlay.current === BREAK ? (
        <BreakSheet until={isOnBreak ? until : null} onClose={overlay.hide} />
      ) : null}
      {of && spending ? <LimitSheet of={of} spending={spending} onClose={overlay.hide} /> : null}
    </Screen>
  );
}
