import { MenuContent } from "@/app/layouts/MenuContent";
import { t } from "@/lib/i18n/i18n";
import { Dialog } from "@/ui/Dialog";

/** The side menu as a drawer, for screens narrower than 960 px. */
export function SideMenu({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog shape="drawer" title={t("menu.title")} onClose={onClose}>
      <MenuContent replace />
    </Dialog>
  );
}
