import { useSignOutEverywhere } from "@/app/layouts/useLogout";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

/** Asks for confirmation before every session of the player ends. */
export function SignOutEverywhere({ onClose }: { readonly onClose: () => void }) {
  const farewell = useSignOutEverywhere();
  return (
    <Dialog
      title={t("account.everywhere")}
      description={t("account.everywhere.text")}
      shape="sheet"
      onClose={onClose}
    >
      <Button look="danger" wide busy={farewell.isPending} onClick={() => farewell.mutate()}>
        {t("account.everywhere")}
      </Button>
      <Button look="quiet" wide onClick={onClose}>
        {t("account.everywhere.stay")}
      </Button>
    </Dialog>
  );
}
