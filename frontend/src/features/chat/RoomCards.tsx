import { useQuery } from "@tanstack/react-query";
import { formatRelative } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { usePlayer } from "@/lib/session/useSession";
import { useServerNow } from "@/lib/useServerNow";
import { Avatar } from "@/ui/Avatar";
import { CountBadge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Link } from "@/ui/Link";
import { Steps } from "@/ui/Listing";
import { worldOf } from "@/ui/world";
import type { Message, Room } from "./api";
import { previewOf } from "./messages";
import { writersQuery } from "./queries";
import styles from "./RoomList.module.css";

const JoinDialog = lazyOverlay(async () => (await import("./JoinRoom")).JoinDialog);

type Heading = "h2" | "h3";

interface RoomContentProps {
  readonly room: Room;
  readonly heading: Heading;
  /** The last message in one line; null without one. */
  readonly preview: string | null;
}

function RoomContent({ room, heading: Name, preview }: RoomContentProps) {
  const now = new Date(useServerNow());
  const { membership, onlineMemberCount: online } = room;
  const unread = membership?.unreadCount ?? 0;
  const at = membership?.lastMessage?.createdAt;
  return (
    <Card className={`${styles.room} w-${worldOf(room.name)}`}>
      <span className={styles.icon}>
        <Avatar src={room.icon ?? null} name={room.name} size={52} />
      </span>
      <div className={styles.words}>
        <Name className={styles.name}>{room.name}</Name>
        {preview === null ? null : (
          <p className={unread > 0 ? `${styles.preview} ${styles.unread}` : styles.preview}>{preview}</p>
        )}
        <p className={styles.members}>
          {t("chat.members", { count: room.memberCount })}
          {online ? <span className={styles.online}>{t("chat.online", { count: online })}</span> : null}
        </p>
      </div>
      <div className={styles.chips}>
        {at ? <p className={styles.at}>{formatRelative(new Date(at), now)}</p> : null}
        <CountBadge count={unread} label={t("chat.unread", { count: unread })} />
        {membership ? null : <p className={styles.join}>{t("chat.join")}</p>}
      </div>
    </Card>
  );
}

/** The last message of each room that has one, by the room's id. */
function usePreviews(rooms: readonly Room[]): ReadonlyMap<string, string> {
  const ownId = usePlayer()?.uid ?? "";
  const last = rooms.flatMap(({ id, membership }) =>
    membership?.lastMessage ? [{ id, message: membership.lastMessage }] : [],
  );
  const ids = [...new Set(last.map(({ message }) => message.userId))].filter((id) => id !== ownId).sort();
  const { data: writers } = useQuery({
    ...writersQuery(ids),
    enabled: ids.length > 0,
    meta: { quiet: true },
  });
  const writerOf = ({ userId }: Message) => writers?.find(({ id }) => id === userId) ?? null;
  return new Map(last.map(({ id, message }) => [id, previewOf(message, writerOf(message), ownId)]));
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
  const previews = usePreviews(rooms);
  const overlay = useOverlay();
  const asked = rooms.find(({ chatRoomUid }) => chatRoomUid === overlay.current);
  return (
    <>
      <Steps className={styles.rooms}>
        {rooms.map((room) => (
          <li key={room.id}>
            {room.membership ? (
              <Link to={toRoom(room)} className={styles.open}>
                <RoomContent room={room} heading={heading} preview={previews.get(room.id) ?? null} />
              </Link>
            ) : (
              <button type="button" className={styles.open} onClick={() => overlay.show(room.chatRoomUid)}>
                <RoomContent room={room} heading={heading} preview={null} />
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
