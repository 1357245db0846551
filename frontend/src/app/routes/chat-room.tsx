import { useParams } from "react-router";
import { paths } from "@/app/paths";
import { RoomScreen } from "@/features/chat/RoomScreen";
import { usePlayer } from "@/lib/session/useSession";

export function Component() {
  const { id = "" } = useParams();
  const player = usePlayer();
  return (
    <RoomScreen
      key={id}
      uid={id}
      ownId={player?.uid ?? ""}
      ownUsername={player?.username ?? null}
      back={paths.chatRooms}
    />
  );
}
