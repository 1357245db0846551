import { t } from "@/lib/i18n/i18n";
import { Stage } from "@/ui/Stage";

/** The player's notifications. The gateway does not serve any yet, so nothing is fetched. */
export function NotificationList() {
  return (
    <Stage pose="look" world="maneno" title={t("notifications.empty")} text={t("notifications.closedText")} />
  );
}
