import { BellOff } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { Notice } from "@/ui/Notice";

/** The player's news. The gateway keeps none yet, so that nothing is asked for. */
export function NotificationList() {
  return (
    <Notice
      art={<BellOff size={64} strokeWidth={1.25} aria-hidden="true" />}
      title={t("notifications.empty")}
      text={t("notifications.closedText")}
    />
  );
}
