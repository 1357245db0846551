import { useQuery } from "@tanstack/react-query";
import { roomsQuery } from "@/features/chat/queries";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Avatar } from "@/ui/Avatar";
import { Button } from "@/ui/Button";
import { EmptyChat } from "@/ui/EmptyArt";
import { Failed, Stale } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./RoomList.module.css";

/** All chat rooms with their member counts. */
export function RoomList() {
  const rooms = useQuery(roomsQuery);
  const error = useLastError(rooms);
  const retry = () => void rooms.refetch();
  if (error && !rooms.data) return <Failed error={error} busy={rooms.isFetching} onRetry={retry} />;
  if (!rooms.data) {
    return (
      <div className={styles.rooms} role="status" aria-label={t("ui.loading")}>
        <Skeleton height={80} radius={20} />
        <Skeleton height={80} radius={20} />
        <Skeleton height={80} radius={20} />
      </div>
    );
  }
  if (rooms.data.length === 0) {
    return (
      <Notice
        art={<EmptyChat />}
        title={t("ui.empty")}
        text={t("chat.empty")}
        action={
          <Button variant="quiet" busy={rooms.isFetching} onClick={retry}>
            {t("ui.refresh")}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Stale error={error} at={rooms.dataUpdatedAt} />
      <ul className={styles.rooms}>
        {rooms.data.map((room) => (
          <li key={room.id} className={styles.room}>
            <Avatar src={room.icon ?? null} name={room.name} size={48} />
            <div>
              <h2 className={styles.name}>{room.name}</h2>
              <p className={styles.members}>{t("chat.members", { count: room.memberCount })}</p>
            </div>
            {room.onlineMemberCount ? (
              <p className={styles.online}>{t("chat.online", { count: room.onlineMemberCount })}</p>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}
