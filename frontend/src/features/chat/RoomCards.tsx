import { useQuery } from "@tanstack/react-query";
import type { Room } from "@/features/chat/api";
import { joinedQuery } from "@/features/chat/queries";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { Avatar } from "@/ui/Avatar";
import { Card } from "@/ui/Card";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Link } from "@/ui/Link";
import { Steps } from "@/ui/Listing";
import { worldOf } from "@/ui/world";
import styles from "./RoomList.module.css";

const JoinDialog = lazyOverlay(async () => (await import("./JoinRoom")).JoinDialog);

type Heading = "h2" | "h3";

interface RoomContentProps {
  readonly room: Room;
  readonly heading: Heading;
  readonly isJoined: boolean;
}

function RoomContent({ room, heading: Name, isJoined }: RoomContentProps) {
  return (
    <Card className={`${styles.room} w-${worldOf(room.name)}`}>
      <span className={styles.icon}>
        <Avatar src={room.icon ?? null} name={room.name} size={52} />
      </span>
      <div className={styles.words}>
        <Name className={styles.name}>{room.name}</Name>
        <p className={styles.members}>{t("chat.members", { count: room.memberCount })}</p>
      </div>
      <div className={styles.chips}>
        {room.onlineMemberCount ? (
          <p className={styles.online}>{t("chat.online", { count: room.onlineMemberCount })}</p>
        ) : null}
        {isJoined ? null : <p className={styles.join}>{t("chat.join")}</p>}
      </div>
    </Card>
  );
}

export interface RoomLinks {
  readonly toRoom: (room: Room) => string;
  /** Opens a room that was joined in the dialog, and replaces the dialog's history entry. */
  readonly onJoined: (room: Room) => void;
}

interface RoomCardsProps extends RoomLinks {
  readonly rooms: readonly Room[];
  /** The level of the rooms' names. */
  readonly heading: Heading;
}

/** Rooms as cards. A room that is not joined asks first. */
export function RoomCards({ rooms, heading, toRoom, onJoined }: RoomCardsProps) {
  const joined = useQuery(joinedQuery);
  const overlay = useOverlay();
  const asked = rooms.find(({ chatRoomUid }) => chatRoomUid === overlay.current);
  return (
    <>
      <Steps className={styles.rooms}>
        {rooms.map((room) => (
          <li key={room.id}>
            {/* While the joined rooms are unknown, the room itself asks. */}
            {!joined.data || joined.data.includes(room.chatRoomUid) ? (
              <Link to={toRoom(room)} state={{ room }} className={styles.open}>
                <RoomContent room={room} heading={heading} isJoined />
              </Link>
            ) : (
              <button type="button" className={styles.open} onClick={() => overlay.show(room.chatRoomUid)}>
                <RoomContent room={room} heading={heading} isJoined={false} />
              </button>
            )}
          </li>
        ))}
      </Steps>
      {asked ? (
        <JoinDialog uid={asked.chatRoomUid} onJoined={() => onJoined(asked)} onClose={overlay.hide} />
      ) : null}
    </>
  );
}
