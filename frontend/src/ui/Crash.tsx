import type { ReactNode } from "react";
import { isChunkError } from "@/lib/chunk";
import { t } from "@/lib/i18n/i18n";
import { Button } from "./Button";
import { Notice } from "./Notice";
import { TraceId } from "./TraceId";

interface CrashProps {
  readonly error: Error;
  readonly onRetry: () => void;
  /** The notice is the whole page, so its title is the page's heading. */
  readonly page?: boolean;
  /** A further remark for the player. */
  readonly note?: string | undefined;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** Shown in place of a part of the app whose code failed to load, or that crashed. */
export function Crash({ error, onRetry, page = false, note, children }: CrashProps) {
  const isMissing = isChunkError(error);
  return (
    <div role="alert">
      <Notice
        page={page}
        title={t(isMissing ? "fault.chunk.title" : "fault.unknown")}
        text={[t(isMissing ? "fault.chunk.text" : "fault.crash"), note].filter(Boolean).join(" ")}
        action={
          <>
            <Button onClick={onRetry}>{t("ui.retry")}</Button>
            {children}
            {isMissing ? null : <TraceId error={error} />}
          </>
        }
      />
    </div>
  );
}
