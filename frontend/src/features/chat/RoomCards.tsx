import { useQuery } from "@tanstack/react-query";
import { serverNow } from "@/lib/clock";
import { formatRelative } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { usePlayer } from "@/lib/session/useSession";
import { Avatar } from "@/ui/Avatar";
import { CountBadge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Link } from "@/ui/Link";
import { Steps } from "@/ui/Listing";
import { worldOf } from "@/ui/world";
import type { Message, Room } from "./api";
import { previewOf, writerName } from "./messages";
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
        {at ? (
          <time className={styles.at} dateTime={at}>
            {formatRelative(new Date(at), new Date(serverNow()))}
          </time>
        ) : null}
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
  const nameOf = ({ userId }: Message) => {
    if (userId === ownId) return t("chat.you");
    return writers ? writerName(writers.find(({ id }) => id === userId) ?? null) : null;
  };
  return new Map(last.map(({ id, message }) => [id, previewOf(message, nameOf(message))]));
}

export interface RoomLinks {
  readonly toRoom: (room: Room) => string;
  /** Opens a room that was joined in the dialog, and replaces the dialog's history entry. */
  readonly onJoined: (room: Room) => void;
}

interface RoomCardsProps extends Pick<RoomLinks, "toRoom"> {
  readonly rooms: readonly Room[];
  /** The level of the rooms' names. */
  readonly heading: Heading;
}

/** Rooms as cards. A tap on a room that is not joined opens `JoinAsked`. */
export function RoomCards({ rooms, heading, toRoom }: RoomCardsProps) {
  const previews = usePreviews(rooms);
  const overlay = useOverlay();
  return (
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
  );
}

interface JoinAskedProps extends Pick<RoomLinks, "onJoined"> {
  readonly rooms: readonly Room[];
}

/** The dialog that asks to join the room that was tapped. It stands beside all groups, because joining moves a room. */
export function JoinAsked({ rooms, onJoined }: JoinAskedProps) {
  const overlay = useOverlay();
  const asked = rooms.find(({ chatRoomUid }) => chatRoomUid === overlay.current);
  if (!asked) return null;
  return <JoinDialog uid={asked.chatRoomUid} onJoined={() => onJoined(asked)} onClose={overlay.hide} />;
}
