import { useSignOutEverywhere } from "@/app/layouts/useLogout";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { DumaCard } from "@/ui/DumaCard";
import { SheetFooter } from "@/ui/SheetFooter";

/** Asks for confirmation before every session of the player ends. */
export function SignOutEverywhere({ onClose }: { readonly onClose: () => void }) {
  const signOut = useSignOutEverywhere();
  return (
    <Dialog
      title={t("account.everywhere")}
      description={t("account.everywhere.text")}
      shape="sheet"
      onClose={onClose}
    >
      <DumaCard world="dash" pose="sleep">
        {t("account.everywhere.line")}
      </DumaCard>
      <SheetFooter>
        <Button variant="danger" wide busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t("account.everywhere")}
        </Button>
        <Button variant="quiet" wide onClick={onClose}>
          {t("account.everywhere.stay")}
        </Button>
      </SheetFooter>
    </Dialog>
  );
}
