import { useState } from "react";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { Button } from "./Button";
import styles from "./TraceId.module.css";

/** The trace id of a failure on our side, with a button that copies it for the player's message to support. */
export function TraceId({ error }: { readonly error: Error }) {
  const [copied, setCopied] = useState(false);
  if (!(error instanceof Fault) || error.refused || !error.traceId) return null;
  const { traceId } = error;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(traceId);
      setCopied(true);
    } catch {
      // The id can still be selected by hand.
    }
  };
  return (
    <div className={styles.trace}>
      <p>
        {t("ui.reference")} <span className={styles.id}>{traceId}</span>
      </p>
      <Button variant="plain" onClick={() => void copy()}>
        <span aria-live="polite">{t(copied ? "ui.copied" : "ui.copy")}</span>
      </Button>
    </div>
  );
}
