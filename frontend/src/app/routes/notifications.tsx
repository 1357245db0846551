import { TabLayout } from "@/app/layouts/TabBar";
import { NotificationList } from "@/features/chat/NotificationList";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <TabLayout>
      <Screen title={t("notifications.title")}>
        <NotificationList />
      </Screen>
    </TabLayout>
  );
}
