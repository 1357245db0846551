import { paths } from "@/app/paths";
import { NotificationSettings } from "@/features/push/NotificationSettings";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

/** The settings of what is pushed to the player, when, and whether to this phone. */
export function Component() {
  return (
    <Screen title={t("push.screen")} back={paths.account}>
      <NotificationSettings />
    </Screen>
  );
}
