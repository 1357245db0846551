import { formatMoment } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "./Button";
import styles from "./Failed.module.css";
import { Notice } from "./Notice";
import { TraceId } from "./TraceId";

interface FailedProps {
  readonly error: Error;
  /** The content is being fetched again. */
  readonly busy?: boolean;
  readonly onRetry: () => void;
}

/** Shown in place of content that could not be fetched. */
export function Failed({ error, busy = false, onRetry }: FailedProps) {
  return (
    <div className={styles.failed}>
      <div role="alert">
        <Notice
          title={t("ui.failed")}
          text={messageOf(error)}
          action={
            <Button variant="quiet" busy={busy} onClick={onRetry}>
              {t("ui.retry")}
            </Button>
          }
        />
      </div>
      {/* The trace id is outside of the alert, which would be read aloud with each new attempt. */}
      <TraceId error={error} />
    </div>
  );
}

interface StaleProps {
  readonly error: Error | null;
  /** When the content was fetched, in ms since the epoch. */
  readonly at: number;
}

/** Shown above content that could not be fetched again: the content is of an earlier time. */
export function Stale({ error, at }: StaleProps) {
  if (!error) return null;
  return (
    <p role="status" className={styles.stale}>
      {t("ui.stale", { time: formatMoment(new Date(at), new Date()), reason: messageOf(error) })}
    </p>
  );
}
