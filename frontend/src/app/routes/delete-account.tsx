import { useQueryClient } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { DeleteAccountDialog } from "@/features/profile/DeleteAccountDialog";
import { useBalance } from "@/features/wallet/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { leaveFor } from "@/lib/navigation";
import { clearBrowser } from "@/lib/session/session";
import { toastAfterReload } from "@/lib/toast";
import { Link } from "@/ui/Link";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./delete-account.module.css";

/** The money that would be lost; nothing when there is none. */
function MoneyAtStake() {
  const balance = useBalance();
  if (balance.isPending) return <Skeleton height={72} />;
  if (balance.isError) return <p className={styles.money}>{t("profile.delete.balanceUnknown")}</p>;
  if (balance.data.balance <= 0) return null;
  return (
    <p className={styles.money}>
      {t("profile.delete.balance", { amount: formatKes(balance.data.balance) })}{" "}
      {/* Takes the dialog's step of the history, so that back leads to the profile without it. */}
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

/** The dialog that ends an account, with what the wallet has to say about it, and the way out afterwards. */
export function DeleteAccountFlow({ uid, onClose }: DeleteAccountProps) {
  const client = useQueryClient();
  const leave = () => {
    // What is still being asked for would be refused, and tell the player so.
    void client.cancelQueries();
    clearBrowser();
    toastAfterReload(t("profile.deleted"));
    leaveFor(paths.login);
  };
  return <DeleteAccountDialog uid={uid} atStake={<MoneyAtStake />} onDeleted={leave} onClose={onClose} />;
}
