import { useLocation, useParams } from "react-router";
import { paths } from "@/app/paths";
import { passedRoom } from "@/features/chat/passedRoom";
import { RoomScreen } from "@/features/chat/RoomScreen";
import { usePlayer } from "@/lib/session/useSession";

export function Component() {
  const { id = "" } = useParams();
  const { state } = useLocation();
  const passed = passedRoom(state);
  const player = usePlayer();
  return (
    <RoomScreen
      key={id}
      uid={id}
      ownId={player?.uid ?? ""}
      ownUsername={player?.username ?? null}
      passed={passed?.chatRoomUid === id ? passed : null}
      back={paths.chatRooms}
    />
  );
}
