import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Room } from "@/features/chat/api";
import { joinedQuery, roomsQuery } from "@/features/chat/queries";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { Avatar } from "@/ui/Avatar";
import { Card } from "@/ui/Card";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Link } from "@/ui/Link";
import { Listing, Steps } from "@/ui/Listing";
import { Skeleton } from "@/ui/Skeleton";
import { worldOf } from "@/ui/world";
import styles from "./RoomList.module.css";

const JoinDialog = lazyOverlay(async () => (await import("./JoinRoom")).JoinDialog);

function RoomContent({ room }: { readonly room: Room }) {
  return (
    <Card className={`${styles.room} w-${worldOf(room.name)}`}>
      <span className={styles.icon}>
        <Avatar src={room.icon ?? null} name={room.name} size={52} />
      </span>
      <div className={styles.words}>
        <h2 className={styles.name}>{room.name}</h2>
        <p className={styles.members}>{t("chat.members", { count: room.memberCount })}</p>
      </div>
      {room.onlineMemberCount ? (
        <p className={styles.online}>{t("chat.online", { count: room.onlineMemberCount })}</p>
      ) : null}
    </Card>
  );
}

function RoomSkeleton() {
  return (
    <div className={styles.rooms}>
      {[0, 1, 2].map((place) => (
        <Card key={place} className={styles.room}>
          <Skeleton width={52} height={52} radius="50%" />
          <span className={styles.words}>
            <Skeleton width="60%" height={18} radius={8} />
            <Skeleton width="36%" height={14} radius={8} />
          </span>
        </Card>
      ))}
    </div>
  );
}

interface RoomListProps {
  readonly toRoom: (room: Room) => string;
  /** Opens a room that was joined by the dialog, in its place in the history. */
  readonly onJoined: (room: Room) => void;
}

/** All chat rooms with their member counts. One that is not joined asks first. */
export function RoomList({ toRoom, onJoined }: RoomListProps) {
  const rooms = useQuery(roomsQuery);
  const joined = useQuery(joinedQuery);
  const overlay = useOverlay();
  const asked = rooms.data?.find(({ chatRoomUid }) => chatRoomUid === overlay.current);
  return (
    <>
      <Rooms
        rooms={rooms}
        card={(room) =>
          // While it is unknown, the room itself asks.
          !joined.data || joined.data.includes(room.chatRoomUid) ? (
            <Link to={toRoom(room)} state={{ room }} className={styles.open}>
              <RoomContent room={room} />
            </Link>
          ) : (
            <button type="button" className={styles.open} onClick={() => overlay.show(room.chatRoomUid)}>
              <RoomContent room={room} />
            </button>
          )
        }
      />
      {asked ? (
        <JoinDialog uid={asked.chatRoomUid} onJoined={() => onJoined(asked)} onClose={overlay.hide} />
      ) : null}
    </>
  );
}

interface RoomsProps {
  readonly rooms: UseQueryResult<Room[]>;
  readonly card: (room: Room) => ReactNode;
}

function Rooms({ rooms, card }: RoomsProps) {
  return (
    <Listing
      query={rooms}
      skeleton={<RoomSkeleton />}
      empty={{ title: t("ui.empty"), text: t("chat.empty"), world: "ajua" }}
    >
      {(list) => (
        <Steps className={styles.rooms}>
          {list.map((room) => (
            <li key={room.id}>{card(room)}</li>
          ))}
        </Steps>
      )}
    </Listing>
  );
}
