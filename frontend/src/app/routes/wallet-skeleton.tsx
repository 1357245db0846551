import { paths } from "@/app/paths";
import { BalanceCardSkeleton } from "@/features/wallet/components/BalanceCard";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";

/** The wallet before its code and its data have loaded. */
export function WalletSkeleton() {
  return (
    <Screen title={t("wallet.title")} back={paths.dashboard}>
      <BalanceCardSkeleton />
      <Skeleton width="30%" height={24} />
      <Skeleton height={64} radius={16} />
      <Skeleton height={64} radius={16} />
      <Skeleton height={64} radius={16} />
    </Screen>
  );
}
