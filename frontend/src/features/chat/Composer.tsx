import { Paperclip, SendHorizontal } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { t } from "@/lib/i18n/i18n";
import { limited, within } from "@/lib/text";
import { toast } from "@/lib/toast";
import { Button, IconButton } from "@/ui/Button";
import styles from "./Composer.module.css";
import { FILE_MAX_BYTES, fileSize } from "./messages";
import { draftIn, keepDraft } from "./unsent";

/** The longest text of a message, in characters. */
const TEXT_MAX = 4_000;
const ACCEPTED = "image/*,video/*,audio/*,application/*";

/** What the room does with the text box. */
export interface ComposerHandle {
  /** Adds to the end of the text, with a space before it, and moves the cursor there. */
  readonly insert: (text: string) => void;
}

interface ComposerProps {
  readonly ref?: Ref<ComposerHandle>;
  /** The `chatRoomUid` of the room, under which the unsent text is stored. */
  readonly room: string;
  /** Settles when the message was sent, or has failed. */
  readonly onSend: (text: string, file: File | null) => Promise<void>;
  /** Whether slow mode makes the player wait. The player may write meanwhile. */
  readonly isWaiting?: boolean;
}

/** The text box and the file of the next message. */
export function Composer({ ref, room, onSend, isWaiting = false }: ComposerProps) {
  const [text, setText] = useState(() => draftIn(room));
  useEffect(() => keepDraft(room, text), [room, text]);
  const [file, setFile] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);
  const [isUploading, setUploading] = useState(false);
  // Specification: the box is disabled while a file is selected or uploading. A file is sent without a text.
  const isBoxDisabled = file !== null || isUploading;
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    insert: (more) => {
      if (isBoxDisabled) return;
      setText((text) => {
        const longer = (text === "" || /\s$/.test(text) ? text : `${text} `) + more;
        return limited(longer, TEXT_MAX) === longer ? longer : text;
      });
      box.current?.focus();
    },
  }));

  const pick = (picked: File | undefined) => {
    // The same file can be picked again after it was removed.
    if (input.current) input.current.value = "";
    if (!picked) return;
    if (picked.size > FILE_MAX_BYTES) {
      toast.error(t("chat.fileTooLarge"));
      setFile(null);
    } else setFile(picked);
  };

  const send = async () => {
    const wanted = text.trim();
    // Specification, section 5: without a text or a file nothing is sent, and nothing is said.
    if ((!wanted && !file) || isSending || isWaiting) return;
    setSending(true);
    // The bubble shows the text and the file from now on.
    setText("");
    setFile(null);
    setUploading(file !== null);
    await onSend(wanted, file);
    setUploading(false);
    setSending(false);
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A phone's Enter key inserts a line break; a keyboard's Enter key sends.
    const hasKeyboard = window.matchMedia("(hover: hover) and (pointer: fine)").matches;
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard) return;
    event.preventDefault();
    void send();
  };

  return (
    <form className={styles.composer} onSubmit={onSubmit}>
      {file ? (
        <p className={styles.file}>
          <span className={styles.name}>{file.name}</span>
          <span>{fileSize(file.size)}</span>
          <button type="button" onClick={() => setFile(null)}>
            {t("chat.removeFile")}
          </button>
        </p>
      ) : null}
      <div className={styles.line}>
        <input
          ref={input}
          type="file"
          accept={ACCEPTED}
          hidden
          onChange={(event) => pick(event.target.files?.[0])}
        />
        <IconButton label={t("chat.attach")} disabled={isSending} onClick={() => input.current?.click()}>
          <Paperclip />
        </IconButton>
        <textarea
          ref={box}
          className={styles.text}
          rows={1}
          value={text}
          placeholder={t("chat.type")}
          aria-label={t("chat.type")}
          disabled={isBoxDisabled}
          enterKeyHint="send"
          onChange={(event) => setText(within(text, event.target.value, TEXT_MAX))}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          busy={isSending}
          disabled={isWaiting}
          icon={<SendHorizontal size={20} aria-hidden="true" />}
        >
          <span className={styles.label}>{t("chat.send")}</span>
        </Button>
      </div>
    </form>
  );
}
