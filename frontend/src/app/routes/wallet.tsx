import { Plus } from "lucide-react";
import { paths, waitingPath } from "@/app/paths";
import { BalanceCard } from "@/features/wallet/components/BalanceCard";
import { History } from "@/features/wallet/components/History";
import { PendingPayments } from "@/features/wallet/components/PendingPayments";
import { t } from "@/lib/i18n/i18n";
import { ButtonLink } from "@/ui/Button";
import { Screen } from "@/ui/Screen";

/** The balance, pending payments and the transaction history. */
export function Component() {
  return (
    <Screen title={t("wallet.title")} back={paths.dashboard}>
      <BalanceCard
        actions={
          <ButtonLink
            variant="hero"
            wide
            to={paths.amount}
            state={{ type: "TOP-UP", previousPath: paths.wallet }}
            icon={<Plus size={20} strokeWidth={2.5} color="var(--mango)" aria-hidden="true" />}
          >
            {t("wallet.topUp")}
          </ButtonLink>
        }
      />
      <PendingPayments linkOf={waitingPath} page={paths.wallet} />
      <History />
    </Screen>
  );
}
