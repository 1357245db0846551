import { useQueryClient } from "@tanstack/react-query";
import { endSessions } from "@/app/forgetPush";
import { paths } from "@/app/paths";
import { DeleteAccountDialog } from "@/features/profile/components/DeleteAccountDialog";
import { t } from "@/lib/i18n/i18n";
import { hardNavigate } from "@/lib/navigation";
import { clearStorage } from "@/lib/session/session";
import { queueToastForReload } from "@/lib/toast";
import { lazyComponent } from "@/ui/Lazy";
import { Skeleton } from "@/ui/Skeleton";

/**
 * A separate chunk, because the dialog must not wait for the wallet's code. A failure says that the balance is not
 * known.
 */
const BalanceWarning = lazyComponent(
  async () => (await import("./BalanceWarning")).BalanceWarning,
  ({ error }) => (error ? <p>{t("profile.delete.balanceUnknown")}</p> : <Skeleton height={72} />),
);

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
  return (
    <DeleteAccountDialog
      uid={uid}
      warning={<BalanceWarning />}
      endSessions={endSessions}
      onDeleted={finish}
      onClose={onClose}
    />
  );
}
