import { useQueryClient } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { DeleteAccountDialog } from "@/features/profile/DeleteAccountDialog";
import { useFreshBalance } from "@/features/wallet/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { hardNavigate } from "@/lib/navigation";
import { useLastError } from "@/lib/recovery";
import { clearStorage } from "@/lib/session/session";
import { queueToastForReload } from "@/lib/toast";
import { Link } from "@/ui/Link";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./delete-account.module.css";

/** Warns of the balance that would be lost; renders nothing for an empty wallet. */
function BalanceWarning() {
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

interface DeleteAccountProps {
  readonly uid: string;
  readonly onClose: () => void;
}

/** The deletion dialog with the wallet's balance, and the sign-out after it. */
export function DeleteAccountFlow({ uid, onClose }: DeleteAccountProps) {
  const client = useQueryClient();
  const finish = () => {
    // Calls that are still running would be refused now and show errors.
    void client.cancelQueries();
    clearStorage();
    queueToastForReload(t("profile.deleted"));
    hardNavigate(paths.login);
  };
  return <DeleteAccountDialog uid={uid} warning={<BalanceWarning />} onDeleted={finish} onClose={onClose} />;
}
