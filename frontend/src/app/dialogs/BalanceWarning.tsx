import { paths } from "@/app/paths";
import { useFreshBalance } from "@/features/wallet/hooks/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Link } from "@/ui/Link";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./BalanceWarning.module.css";

/** Says what is still in the wallet; renders nothing for an empty wallet. */
export function BalanceWarning() {
  const balance = useFreshBalance();
  const error = useLastError(balance);
  if (error) return <p className={styles.money}>{t("profile.delete.balanceUnknown")}</p>;
  if (!balance.data) return <Skeleton height={72} />;
  if (balance.data.balance <= 0) return null;
  return (
    <p className={styles.money}>
      {t("profile.delete.balance", { amount: formatKes(balance.data.balance) })}{" "}
      {/* Replaces the dialog's history entry, so that back returns to the profile without the dialog. */}
      <Link to={paths.wallet} replace>
        {t("profile.delete.toWallet")}
      </Link>
    </p>
  );
}
