import { useQuery } from "@tanstack/react-query";
import type { Room } from "@/features/chat/api";
import { roomsQuery } from "@/features/chat/queries";
import { t } from "@/lib/i18n/i18n";
import { Avatar } from "@/ui/Avatar";
import { Card } from "@/ui/Card";
import { Listing, Steps } from "@/ui/Listing";
import { Skeleton } from "@/ui/Skeleton";
import { worldOf } from "@/ui/world";
import styles from "./RoomList.module.css";

function RoomCard({ room }: { readonly room: Room }) {
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

/** All chat rooms with their member counts. */
export function RoomList() {
  const rooms = useQuery(roomsQuery);
  return (
    <Listing
      query={rooms}
      skeleton={<RoomSkeleton />}
      empty={{ title: t("ui.empty"), text: t("chat.empty"), world: "ajua" }}
    >
      {(list) => (
        <Steps className={styles.rooms}>
          {list.map((room) => (
            <li key={room.id}>
              <RoomCard room={room} />
            </li>
          ))}
        </Steps>
      )}
    </Listing>
  );
}
