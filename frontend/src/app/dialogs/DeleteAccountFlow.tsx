import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { paths } from "@/app/paths";
import { DeleteAccountDialog } from "@/features/profile/DeleteAccountDialog";
import { t } from "@/lib/i18n/i18n";
import { hardNavigate } from "@/lib/navigation";
import { clearStorage } from "@/lib/session/session";
import { queueToastForReload } from "@/lib/toast";
import { Skeleton } from "@/ui/Skeleton";

const BalanceWarning = lazy(async () => ({ default: (await import("./BalanceWarning")).BalanceWarning }));

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
  const warning = (
    <Suspense fallback={<Skeleton height={72} />}>
      <BalanceWarning />
    </Suspense>
  );
  return <DeleteAccountDialog uid={uid} warning={warning} onDeleted={finish} onClose={onClose} />;
}
