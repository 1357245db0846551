import "@/ui/worlds.css";
import type { ReactNode } from "react";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";
import { Stage } from "@/ui/Stage";
import { TraceId } from "@/ui/TraceId";
import styles from "./GameDetails.module.css";

/** The boxes of the details. */
export function GameSkeleton({ back }: { readonly back: ReactNode }) {
  return (
    <div className={`${styles.wash} w-dash`}>
      <div className={styles.screen} role="status" aria-label={t("ui.loading")}>
        <div className={styles.poster}>
          <div className={styles.top}>{back}</div>
          <Skeleton width="50%" height={40} />
        </div>
        <div className={styles.main}>
          <Skeleton height={20} />
          <Skeleton width="70%" height={20} />
          <Skeleton height={96} radius={20} />
        </div>
      </div>
    </div>
  );
}

interface FailedProps {
  readonly error: Error;
  readonly busy: boolean;
  readonly back: string;
  readonly onRetry: () => void;
}

export function GameFailed({ error, busy, back, onRetry }: FailedProps) {
  const title = t("game.failed");
  const reason = messageOf(error);
  return (
    <Screen title={t("games.title")} back={back}>
      <div role="alert">
        <Stage
          pose="sulk"
          world="dash"
          title={title}
          {...(reason === title ? {} : { text: reason })}
          action={
            <Button busy={busy} onClick={onRetry}>
              {t("ui.retry")}
            </Button>
          }
        />
      </div>
      <TraceId error={error} />
    </Screen>
  );
}
