import { ArrowUpRight, Gift, Plus, Zap } from "lucide-react";
import { waitingPath } from "@/app/links";
import { paths } from "@/app/paths";
import { BalanceCard } from "@/features/wallet/components/BalanceCard";
import { History } from "@/features/wallet/components/History";
import { PendingPayments } from "@/features/wallet/components/PendingPayments";
import { RunningPass } from "@/features/wallet/components/RunningPass";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { ButtonLink } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { RowLink, Rows } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import { Tile } from "@/ui/Tile";

const StatementSheet = lazyOverlay(
  async () => (await import("@/features/wallet/components/StatementSheet")).StatementSheet,
);

const STATEMENT = "statement";

/** The balance, pending payments and the transaction history. */
export function Component() {
  const overlay = useOverlay();
  return (
    <Screen title={t("wallet.title")} back={paths.dashboard}>
      <BalanceCard
        actions={
          <>
            <ButtonLink
              variant="veil"
              wide
              to={paths.amount}
              state={{ type: "WITHDRAWAL", previousPath: paths.wallet }}
              icon={<ArrowUpRight size={20} strokeWidth={2.5} aria-hidden="true" />}
            >
              {t("wallet.withdraw")}
            </ButtonLink>
            <ButtonLink
              variant="hero"
              wide
              to={paths.amount}
              state={{ type: "TOP-UP", previousPath: paths.wallet }}
              icon={<Plus size={20} strokeWidth={2.5} color="var(--mango)" aria-hidden="true" />}
            >
              {t("wallet.topUp")}
            </ButtonLink>
          </>
        }
      />
      <Rows>
        <RowLink
          to={paths.boost}
          state={{ previousPath: paths.wallet }}
          icon={
            <Tile tone="sky">
              <Gift size={22} strokeWidth={2.25} aria-hidden="true" />
            </Tile>
          }
          title={t("pay.boost")}
          detail={t("wallet.boost.detail")}
        />
        <RowLink
          to={paths.subscriptions}
          icon={
            <Tile tone="mango">
              <Zap size={22} strokeWidth={2.25} aria-hidden="true" />
            </Tile>
          }
          title={t("passes.title")}
          detail={<RunningPass none={t("wallet.passes.detail")} />}
        />
      </Rows>
      <PendingPayments linkOf={waitingPath} page={paths.wallet} />
      <History onStatement={() => overlay.show(STATEMENT)} />
      {overlay.current === STATEMENT ? <StatementSheet onClose={overlay.hide} /> : null}
    </Screen>
  );
}
