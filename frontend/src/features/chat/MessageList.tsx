import { ArrowDown } from "lucide-react";
import { useEffect, useRef } from "react";
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
import { useFollow } from "./useFollow";
import type { Outgoing } from "./useSend";

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

/** The messages of a room, the newest at the bottom. Only those near the screen are rendered. */
export function MessageList(props: MessageListProps) {
  const { messages, outgoing, writers, ownId, ownUsername, older } = props;
  const { onRetry, onDiscard, onCancel, onOpenPicture, onMention, onDelete, onMore } = props;
  const now = new Date(useServerNow());
  // Older messages are added at the top, and the visible messages stay in place.
  const oldest = messages[0]?.id;
  const lastOldest = useRef(oldest);
  const isShifted = lastOldest.current !== oldest;
  useEffect(() => {
    lastOldest.current = oldest;
  }, [oldest]);

  const count = messages.length + outgoing.length + (older ? 1 : 0);
  const { list, unseen, onScroll, toEnd } = useFollow<VListHandle>({ messages, outgoing, ownId, count });

  const last = messages.at(-1);
  return (
    <div className={styles.frame}>
      <VList
        ref={list}
        className={styles.list ?? ""}
        shift={isShifted}
        onScroll={onScroll}
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
      {unseen > 0 ? (
        <button type="button" className={styles.pill} onClick={toEnd}>
          <ArrowDown size={18} aria-hidden="true" />
          {t("chat.newMessages", { count: unseen })}
        </button>
      ) : null}
      {/* Announces new messages to players who do not see the list move. */}
      <p className="visually-hidden" aria-live="polite">
        {last && last.userId !== ownId && last.chatType === "TEXT" ? last.message : ""}
      </p>
    </div>
  );
}
