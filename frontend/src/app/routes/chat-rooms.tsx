import { useNavigate } from "react-router";
import { roomPath } from "@/app/chatPaths";
import { paths } from "@/app/paths";
import { RoomList } from "@/features/chat/RoomList";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

export function Component() {
  const navigate = useNavigate();
  return (
    <Screen title={t("chat.title")} back={paths.dashboard}>
      <p>{t("chat.intro")}</p>
      <RoomList
        toRoom={({ chatRoomUid }) => roomPath(chatRoomUid)}
        // The dialog is a history entry, which the room replaces.
        onJoined={(room) => navigate(roomPath(room.chatRoomUid), { replace: true })}
      />
    </Screen>
  );
}
