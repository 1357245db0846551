import { paths } from "@/app/paths";
import { RoomList } from "@/features/chat/RoomList";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <Screen title={t("chat.title")} back={paths.dashboard}>
      <p>{t("chat.intro")}</p>
      <RoomList />
    </Screen>
  );
}
