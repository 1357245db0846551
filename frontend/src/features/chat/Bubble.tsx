import { Download, EllipsisVertical, FileText, RotateCcw, Trash2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import type { PublicPlayer } from "@/gen/api/publicPlayer";
import { formatRelative } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { IconButton } from "@/ui/Button";
import type { ChatType, Message } from "./api";
import styles from "./Bubble.module.css";
import { colourPair, isMentionable, mediaUrl, type TextPart, textParts, writerName } from "./messages";
import { Picture } from "./Picture";
import type { Outgoing } from "./useSend";

function Part({ text, url, mention, reader }: TextPart & { readonly reader: string | null }) {
  if (url) {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
        {text}
      </a>
    );
  }
  if (!mention) return text;
  return mention === reader ? <mark className={styles.own}>{text}</mark> : <strong>{text}</strong>;
}

function Text({ text, reader }: { readonly text: string; readonly reader: string | null }) {
  return (
    <p className={styles.text}>
      {textParts(text).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        <Part key={place} {...part} reader={reader} />
      ))}
    </p>
  );
}

function FileLink({ url, label }: { readonly url: string; readonly label: string }) {
  return (
    <a className={styles.file} href={url} download>
      <Download size={18} aria-hidden="true" />
      {label}
    </a>
  );
}

interface ContentProps {
  readonly chatType: ChatType;
  readonly message: string;
  /** The username of the player who reads. */
  readonly reader?: string | null;
  readonly onOpenPicture?: (() => void) | undefined;
}

/** The content of a message. Audio and video load nothing before they are played. */
function Content({ chatType, message, reader = null, onOpenPicture }: ContentProps) {
  const url = mediaUrl(message);
  if (chatType === "TEXT" && !url) return <Text text={message} reader={reader} />;
  if (!url) return <p className={styles.text}>{t("chat.brokenFile")}</p>;
  switch (chatType) {
    case "IMAGE":
      return <Picture url={url} onOpen={onOpenPicture} />;
    case "VIDEO":
      return (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: players send no captions */}
          <video className={styles.video} src={url} controls preload="none" playsInline />
          <FileLink url={url} label={t("chat.downloadVideo")} />
        </>
      );
    case "AUDIO":
      // biome-ignore lint/a11y/useMediaCaption: players send no captions
      return <audio className={styles.audio} src={url} controls preload="none" />;
    case "TEXT":
    case "DOCUMENT":
      return (
        <>
          <p className={styles.document}>
            <FileText size={20} aria-hidden="true" />
            {t("chat.document")}
          </p>
          <FileLink url={url} label={t("chat.downloadDocument")} />
        </>
      );
  }
}

interface BubbleProps {
  readonly message: Message;
  /** Null until the profile has loaded. */
  readonly writer: PublicPlayer | null;
  readonly isOwn: boolean;
  /** The username of the player who reads. */
  readonly reader: string | null;
  /** Whether the message continues the one before it, whose avatar and name stand for both. */
  readonly isContinued: boolean;
  readonly now: Date;
  readonly onOpenPicture: () => void;
  /** Mentions the writer in the next message. Set while the player may send. */
  readonly onMention: ((username: string) => void) | undefined;
  /** Set for own messages. */
  readonly onDelete?: (() => void) | undefined;
  /** Opens the actions against the message. Set for others' messages. */
  readonly onMore?: (() => void) | undefined;
}

/** A tap on the name mentions the writer. */
function WriterName({ writer, onMention }: Pick<BubbleProps, "writer" | "onMention">) {
  const name = writerName(writer);
  if (!onMention || !isMentionable(name)) return <span className={styles.name}>{name}</span>;
  return (
    <button
      type="button"
      className={styles.name}
      aria-label={t("chat.mention", { name })}
      onClick={() => onMention(name)}
    >
      {name}
    </button>
  );
}

/** A message of the room. */
export function Bubble(props: BubbleProps) {
  const { message, writer, isOwn, reader, isContinued, now } = props;
  const { onOpenPicture, onMention, onDelete, onMore } = props;
  const pair = `${styles.bubble} b-${colourPair(message.userId, isOwn)}`;
  const since = formatRelative(new Date(message.createdAt), now);
  const time = <time dateTime={message.createdAt}>{since}</time>;
  const [isSelected, setSelected] = useState(false);
  return (
    <article className={styles.row} data-own={isOwn} data-continued={isContinued}>
      {isOwn ? null : (
        <span className={styles.avatar}>
          {isContinued ? null : <PlayerAvatar player={writer} size={36} />}
        </span>
      )}
      <div className={styles.column}>
        {isContinued ? (
          <span className="visually-hidden">{time}</span>
        ) : (
          <header className={styles.head}>
            {isOwn ? null : <WriterName writer={writer} onMention={onMention} />}
            {time}
          </header>
        )}
        {/* biome-ignore lint/a11y: a tap shows the button, which the keyboard reaches without it */}
        <div className={pair} data-kind={message.chatType} onClick={() => setSelected((was) => !was)}>
          <Content
            chatType={message.chatType}
            message={message.message}
            reader={reader}
            onOpenPicture={onOpenPicture}
          />
        </div>
      </div>
      {onDelete ? (
        <span className={styles.delete} data-shown={isSelected}>
          <IconButton label={t("chat.delete", { time: since })} onClick={onDelete}>
            <Trash2 size={18} />
          </IconButton>
        </span>
      ) : null}
      {onMore ? (
        <span className={styles.delete} data-shown={isSelected}>
          <IconButton label={t("chat.more", { name: writerName(writer), time: since })} onClick={onMore}>
            <EllipsisVertical size={18} />
          </IconButton>
        </span>
      ) : null}
    </article>
  );
}

interface OutgoingBubbleProps {
  readonly message: Outgoing;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
  readonly onCancel: () => void;
}

/** A message that is being sent, or could not be sent. */
export function OutgoingBubble({ message, onRetry, onDiscard, onCancel }: OutgoingBubbleProps) {
  const { text, file, chatType, progress, isFailed, problem } = message;
  let content: ReactNode;
  if (file) {
    content = (
      <div className={styles.upload}>
        <span>{file.name}</span>
        <progress value={progress} aria-label={t("chat.uploading")} />
        <IconButton label={t("chat.cancelUpload")} onClick={onCancel}>
          <X size={18} />
        </IconButton>
      </div>
    );
  } else content = <Content chatType={chatType} message={text} />;
  return (
    <article className={styles.row} data-own data-continued data-sending={!isFailed}>
      <div className={styles.column}>
        <div className={`${styles.bubble} b-1`} data-kind={file ? undefined : chatType}>
          {content}
        </div>
        {problem ? (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        ) : null}
        {isFailed ? (
          <p className={styles.failed}>
            <button type="button" onClick={onRetry}>
              <RotateCcw size={16} aria-hidden="true" />
              {t("chat.notSent")}
            </button>
            <button type="button" onClick={onDiscard}>
              {t("chat.discard")}
            </button>
          </p>
        ) : null}
      </div>
    </article>
  );
}
