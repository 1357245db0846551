import { BellOff } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { Notice } from "@/ui/Notice";

/** The player's notifications. The gateway does not serve any yet, so nothing is fetched. */
export function NotificationList() {
  return (
    <Notice
      art={<BellOff size={64} strokeWidth={1.25} aria-hidden="true" />}
      title={t("notifications.empty")}
      text={t("notifications.closedText")}
    />
  );
}
