import { MenuContent } from "@/app/layouts/MenuContent";
import { t } from "@/lib/i18n/i18n";
import { Dialog } from "@/ui/Dialog";

interface SideMenuProps {
  readonly balance?: string | undefined;
  readonly onClose: () => void;
}

/** The side menu as a drawer, for screens narrower than 960 px. */
export function SideMenu({ balance, onClose }: SideMenuProps) {
  return (
    <Dialog shape="drawer" title={t("menu.title")} onClose={onClose}>
      <MenuContent replace balance={balance} />
    </Dialog>
  );
}
