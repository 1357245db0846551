import "@/ui/worlds.css";
import "@/ui/bubbles.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Ban, DoorOpen, EllipsisVertical } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useNavigate } from "react-router";
import { announce } from "@/lib/changes";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { useGoBack, useOverlay } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { messageOf, toast } from "@/lib/toast";
import { IconButton } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { MenuAction } from "@/ui/Menu";
import { Skeleton } from "@/ui/Skeleton";
import { Stage } from "@/ui/Stage";
import { worldOf } from "@/ui/world";
import { blockPlayer, leaveRoom, type Message, NOT_A_MEMBER } from "./api";
import { Composer, type ComposerHandle } from "./Composer";
import { JoinPrompt } from "./JoinRoom";
import { MessageList } from "./MessageList";
import { notShownYet, writerName } from "./messages";
import { roomsQuery, setMembership, writersQuery } from "./queries";
import styles from "./RoomScreen.module.css";
import { MessagesSkeleton } from "./RoomSkeleton";
import { blockedQuery } from "./safety/queries";
import { SendingNotice } from "./safety/SendingNotice";
import { SENDING_REFUSALS, useSending } from "./safety/sending";
import { useMessages } from "./useMessages";
import { useReadMark } from "./useReadMark";
import { useSend } from "./useSend";

const MENU = "room-menu";
const BLOCKED = "blocked-players";
/** The prefix of a message's id in the overlay's name: its menu is open. */
const MESSAGE = "message:";
/** The prefix of a message's id in the overlay's name: its picture is shown. */
const PICTURE = "picture:";

const MessageMenu = lazyOverlay(async () => (await import("./safety/MessageMenu")).MessageMenu);
const PictureViewer = lazyOverlay(async () => (await import("./PictureViewer")).PictureViewer);
const BlockedPlayers = lazyOverlay(async () => (await import("./safety/BlockedPlayers")).BlockedPlayers);

function isNamed(overlay: string | undefined): boolean {
  return overlay !== undefined && (overlay.startsWith(MESSAGE) || overlay.startsWith(PICTURE));
}

interface TalkProps {
  readonly uid: string;
  readonly name: string;
  readonly ownId: string;
  readonly ownUsername: string | null;
  readonly room: ReturnType<typeof useMessages>;
}

/** The messages and the composer of a room that the player is in. */
function Talk({ uid, name, ownId, ownUsername, room }: TalkProps) {
  const { page, isLoading, error } = room;
  const client = useQueryClient();
  const overlay = useOverlay();
  const composer = useRef<ComposerHandle>(null);
  const rules = useSending(uid);
  const blocked = useQuery(blockedQuery);
  const messages = useMemo(() => {
    const hidden = new Set(blocked.data?.map(({ userId }) => userId));
    return room.messages?.filter(({ userId }) => !hidden.has(userId)) ?? null;
  }, [room.messages, blocked.data]);
  const sending = useSend(uid, messages?.at(-1)?.seq ?? 0, {
    onSent: (message) => {
      room.add(message);
      if (rules.slowMode > 0) rules.refresh();
    },
    onUploadFailed: (failure) =>
      toast.error(failure instanceof Fault && failure.status > 0 ? failure.message : t("chat.uploadFailed")),
    onRefused: (failure) => {
      // Specification, section 8: a message that was not sent makes no toast; its bubble says so.
      if (failure instanceof Fault && failure.code === NOT_A_MEMBER) announce("room/left");
      if (failure instanceof Fault && SENDING_REFUSALS.has(failure.code)) rules.refresh();
    },
  });
  const ids = useMemo(() => [...new Set(messages?.map(({ userId }) => userId))].sort(), [messages]);
  const players = useQuery({ ...writersQuery(ids), enabled: ids.length > 0 });
  const writers = useMemo(() => new Map(players.data?.map((player) => [player.id, player])), [players.data]);

  const remove = (message: Message) => {
    room.remove(message.id);
    sending.remove(message.id).catch((failure) => {
      room.add(message);
      toast.error(messageOf(failure));
    });
  };

  const chosen = messages?.find(({ id }) => overlay.current === MESSAGE + id);
  const shown = messages?.find(({ id }) => overlay.current === PICTURE + id);
  const isGone = messages !== null && isNamed(overlay.current) && !chosen && !shown;
  const { hide } = overlay;
  useEffect(() => {
    // The message was removed meanwhile, or is not loaded: remove its history entry, too.
    if (isGone) hide();
  }, [isGone, hide]);
  const nameOf = ({ userId }: Message) => writerName(writers.get(userId) ?? null);
  const block = async (userId: string) => {
    await blockPlayer(userId);
    await client.invalidateQueries({ queryKey: blockedQuery.queryKey });
  };

  if (!messages && error) return <Failed error={error} busy={isLoading} onRetry={room.reload} />;
  if (!messages) return <MessagesSkeleton />;
  const outgoing = notShownYet(sending.outgoing, messages, ownId);
  const maySend = !rules.isClosed && rules.muted <= 0;
  // An empty screen may still have older messages: those of blocked players are left out.
  const isEmpty = page === 0 && messages.length === 0 && outgoing.length === 0;
  return (
    <>
      {isEmpty ? (
        <div className={styles.empty}>
          <Stage pose="wave" title={name} text={t("chat.noMessages")} world="maneno" />
        </div>
      ) : (
        <MessageList
          messages={messages}
          outgoing={outgoing}
          writers={writers}
          ownId={ownId}
          ownUsername={ownUsername}
          older={page !== null && page > 0 ? { isLoading, load: room.loadOlder } : null}
          onRetry={sending.retry}
          onDiscard={sending.discard}
          onCancel={sending.cancel}
          onOpenPicture={({ id }) => overlay.show(PICTURE + id)}
          onMention={maySend ? (username) => composer.current?.insert(`@${username} `) : undefined}
          onDelete={remove}
          onMore={({ id }) => overlay.show(MESSAGE + id)}
        />
      )}
      <SendingNotice sending={rules} />
      {maySend ? (
        <Composer ref={composer} room={uid} onSend={sending.send} isWaiting={rules.wait > 0} />
      ) : null}
      {chosen ? (
        <MessageMenu
          message={chosen}
          name={nameOf(chosen)}
          onBlock={() => block(chosen.userId)}
          onClose={overlay.hide}
        />
      ) : null}
      {shown ? <PictureViewer message={shown} name={nameOf(shown)} onClose={overlay.hide} /> : null}
      {overlay.current === BLOCKED ? (
        <BlockedPlayers onUnblocked={room.reload} onClose={overlay.hide} />
      ) : null}
    </>
  );
}

interface RoomScreenProps {
  readonly uid: string;
  readonly ownId: string;
  /** Null until the profile has loaded. */
  readonly ownUsername: string | null;
  /** The path of the list. */
  readonly back: string;
}

/** A chat room: its messages, and the way out. */
export function RoomScreen({ uid, ownId, ownUsername, back }: RoomScreenProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const goBack = useGoBack(back);
  const overlay = useOverlay();
  const rooms = useQuery(roomsQuery);
  const known = rooms.data?.find(({ chatRoomUid }) => chatRoomUid === uid) ?? null;
  // A list that is being fetched again may lack a new room.
  const isUnknown = !rooms.data || (!known && rooms.isFetching);
  const isMember = isUnknown ? undefined : Boolean(known?.membership);
  // The messages are fetched beside the list of rooms: nearly all players who open a room are members.
  const room = useMessages(isMember === false ? null : uid);
  useReadMark(uid, isMember && !room.isRefused ? room.newest : 0);
  useTitle(known?.name ?? t("chat.title"));

  const leave = async () => {
    try {
      await leaveRoom(uid);
    } catch (error) {
      if (!(error instanceof Fault && error.code === NOT_A_MEMBER)) return toast.error(messageOf(error));
    }
    await setMembership(client, uid, false);
    announce("room/left");
    toast.success(t("chat.left"));
    // Replaces the menu, which is a history entry.
    navigate(back, { replace: true, viewTransition: true });
  };

  const members = room.presence?.members ?? known?.memberCount ?? 0;
  const online = room.presence?.online ?? known?.onlineMemberCount ?? 0;
  return (
    <div className={`${styles.screen} w-${worldOf(known?.name ?? "")}`}>
      <header className={styles.header}>
        <IconButton label={t("ui.back")} onClick={goBack}>
          <ArrowLeft />
        </IconButton>
        <div className={styles.words}>
          <h1 className={styles.title}>{known?.name ?? <Skeleton width={140} height={22} />}</h1>
          <p className={styles.counts}>
            {t("chat.members", { count: members })} <span>{t("chat.onlineNow", { count: online })}</span>
          </p>
        </div>
        {isMember ? (
          <IconButton label={t("chat.options")} onClick={() => overlay.show(MENU)}>
            <EllipsisVertical />
          </IconButton>
        ) : null}
      </header>
      <main className={styles.main}>
        {rooms.error && !rooms.data ? (
          <Failed error={rooms.error} busy={rooms.isFetching} onRetry={() => void rooms.refetch()} />
        ) : isMember === false || room.isRefused ? (
          <JoinPrompt uid={uid} />
        ) : isMember ? (
          <Talk
            key={uid}
            uid={uid}
            name={known?.name ?? t("chat.title")}
            ownId={ownId}
            ownUsername={ownUsername}
            room={room}
          />
        ) : (
          <MessagesSkeleton />
        )}
      </main>
      {overlay.current === MENU ? (
        <Dialog shape="sheet" title={t("chat.options")} onClose={overlay.hide}>
          <MenuAction icon={<Ban />} onPress={() => overlay.show(BLOCKED)}>
            {t("chat.blockedPlayers")}
          </MenuAction>
          <MenuAction icon={<DoorOpen />} tone="coral" onPress={() => void leave()}>
            {t("chat.leave")}
          </MenuAction>
        </Dialog>
      ) : null}
    </div>
  );
}
