import { Ban, Flag } from "lucide-react";
import { useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { within } from "@/lib/text";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { MenuAction } from "@/ui/Menu";
import { type Message, NOTE_MAX, REPORT_REASONS, type ReportReason, reportMessage } from "../api";
import styles from "./Safety.module.css";

interface MessageMenuProps {
  readonly message: Message;
  /** The writer's name, as the room shows it. */
  readonly name: string;
  readonly onBlock: () => Promise<void>;
  readonly onClose: () => void;
}

/** The actions against another player's message. */
export function MessageMenu({ message, name, onBlock, onClose }: MessageMenuProps) {
  const [isReporting, setReporting] = useState(false);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);

  const run = async (action: () => Promise<void>, done: string) => {
    setBusy(true);
    try {
      await action();
      toast.success(done);
      onClose();
    } catch (error) {
      toast.error(messageOf(error));
      setBusy(false);
    }
  };
  const block = () => run(onBlock, t("chat.blocked", { name }));

  if (!isReporting) {
    return (
      <Dialog shape="sheet" title={name} onClose={onClose}>
        <MenuAction icon={<Flag />} tone="mango" onPress={() => setReporting(true)}>
          {t("chat.report")}
        </MenuAction>
        <MenuAction icon={<Ban />} tone="coral" onPress={() => isBusy || void block()}>
          {t("chat.block")}
        </MenuAction>
        <p className={styles.hint}>{t("chat.blockHint")}</p>
      </Dialog>
    );
  }
  return (
    <Dialog shape="sheet" title={t("chat.reportTitle")} description={t("chat.reportText")} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (reason) void run(() => reportMessage(message.id, reason, note.trim()), t("chat.reported"));
        }}
      >
        <fieldset className={styles.reasons}>
          <legend className="visually-hidden">{t("chat.reportTitle")}</legend>
          {REPORT_REASONS.map((each) => (
            <label key={each} className={styles.reason}>
              <input type="radio" name="reason" checked={reason === each} onChange={() => setReason(each)} />
              {t(`chat.reason.${each}`)}
            </label>
          ))}
        </fieldset>
        <textarea
          className={styles.note}
          rows={1}
          value={note}
          placeholder={t("chat.reportNote")}
          aria-label={t("chat.reportNote")}
          onChange={(event) => setNote(within(note, event.target.value, NOTE_MAX))}
        />
        <Button type="submit" wide busy={isBusy} disabled={reason === null}>
          {t("chat.reportSend")}
        </Button>
      </form>
    </Dialog>
  );
}
