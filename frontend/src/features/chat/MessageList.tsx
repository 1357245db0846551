import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { VList, type VListHandle } from "virtua";
import type { PublicPlayer } from "@/gen/api/publicPlayer";
import { formatDay } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useServerNow } from "@/lib/useServerNow";
import { Button } from "@/ui/Button";
import type { Message } from "./api";
import { Bubble, OutgoingBubble } from "./Bubble";
import styles from "./MessageList.module.css";
import { continues, sameDay } from "./messages";
import type { Outgoing } from "./useSend";

/** Closer to the end than this, in px, the list follows new messages. */
const NEAR_END = 120;

interface MessageListProps {
  readonly messages: readonly Message[];
  readonly outgoing: readonly Outgoing[];
  readonly writers: ReadonlyMap<string, PublicPlayer>;
  readonly ownId: string;
  readonly ownUsername: string | null;
  /** Set while there are older pages. */
  readonly older: { readonly isLoading: boolean; readonly load: () => void } | null;
  readonly onRetry: (message: Outgoing) => void;
  readonly onDiscard: (id: string) => void;
  readonly onCancel: (id: string) => void;
  readonly onOpenPicture: (message: Message) => void;
  /** Set while the player may send. */
  readonly onMention: ((username: string) => void) | undefined;
  readonly onDelete: (message: Message) => void;
  readonly onMore: (message: Message) => void;
}

/** The messages of a room, the newest at the bottom. Only those near the screen are in the page. */
export function MessageList(props: MessageListProps) {
  const { messages, outgoing, writers, ownId, ownUsername, older } = props;
  const { onRetry, onDiscard, onCancel, onOpenPicture, onMention, onDelete, onMore } = props;
  const list = useRef<VListHandle>(null);
  const now = new Date(useServerNow());
  const [isAtEnd, setAtEnd] = useState(true);
  const [unseen, setUnseen] = useState(0);
  // Older messages are added at the top, and what is read stays where it is.
  const oldest = messages[0]?.id;
  const lastOldest = useRef(oldest);
  const isShifted = lastOldest.current !== oldest;
  useEffect(() => {
    lastOldest.current = oldest;
  }, [oldest]);

  const count = messages.length + outgoing.length + (older ? 1 : 0);
  const newest = outgoing.at(-1)?.id ?? messages.at(-1)?.id;
  const isOwnNewest = outgoing.length > 0 || messages.at(-1)?.userId === ownId;
  const seenNewest = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (seenNewest.current === newest) return;
    const isFirst = seenNewest.current === undefined;
    seenNewest.current = newest;
    if (isFirst || isAtEnd || isOwnNewest) list.current?.scrollToIndex(count - 1, { align: "end" });
    else setUnseen((some) => some + 1);
  }, [newest, count, isAtEnd, isOwnNewest]);

  const toEnd = () => list.current?.scrollToIndex(count - 1, { align: "end", smooth: true });
  const follow = (offset: number) => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    const isNear = offset + viewportSize >= scrollSize - NEAR_END;
    setAtEnd(isNear);
    if (isNear) setUnseen(0);
  };

  const last = messages.at(-1);
  return (
    <div className={styles.frame}>
      <VList
        ref={list}
        className={styles.list ?? ""}
        shift={isShifted}
        onScroll={follow}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t("chat.messages")}
      >
        {older ? (
          <div key="older" className={styles.older}>
            <Button variant="quiet" busy={older.isLoading} onClick={older.load}>
              {t("chat.loadMore")}
            </Button>
          </div>
        ) : null}
        {messages.map((message, place) => {
          const before = messages[place - 1];
          const isNewDay = !before || !sameDay(before, message);
          const isOwn = message.userId === ownId;
          return (
            <div key={message.id}>
              {isNewDay ? <p className={styles.day}>{formatDay(new Date(message.createdAt), now)}</p> : null}
              <Bubble
                message={message}
                writer={writers.get(message.userId) ?? null}
                isOwn={isOwn}
                reader={ownUsername}
                isContinued={continues(before, message)}
                now={now}
                onOpenPicture={() => onOpenPicture(message)}
                onMention={onMention}
                onDelete={isOwn ? () => onDelete(message) : undefined}
                onMore={isOwn ? undefined : () => onMore(message)}
              />
            </div>
          );
        })}
        {outgoing.map((message) => (
          <OutgoingBubble
            key={message.id}
            message={message}
            onRetry={() => onRetry(message)}
            onDiscard={() => onDiscard(message.id)}
            onCancel={() => onCancel(message.id)}
          />
        ))}
      </VList>
      {unseen > 0 && !isAtEnd ? (
        <button type="button" className={styles.pill} onClick={toEnd}>
          <ArrowDown size={18} aria-hidden="true" />
          {t("chat.newMessages", { count: unseen })}
        </button>
      ) : null}
      {/* Spoken for those who do not see the list move. */}
      <p className="visually-hidden" aria-live="polite">
        {last && last.userId !== ownId && last.chatType === "TEXT" ? last.message : ""}
      </p>
    </div>
  );
}
