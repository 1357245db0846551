import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  liveOrNext,
  momentsOf,
  SHARED_ART,
  stageOf,
  timeLeftText,
  tournamentWorld,
} from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { useServerNowAfter } from "@/lib/useServerNow";
import { LiveBadge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { WorldCard } from "@/ui/Card";
import { Countdown } from "@/ui/Countdown";
import { useSharedElement } from "@/ui/useSharedElement";
import styles from "./LiveStrip.module.css";

interface LiveStripProps {
  readonly action: ReactNode;
  /** The page of the action: the art moves to the tournament's card there. Null where it shows none. */
  readonly leadsTo: string | null;
}

interface MessageProps {
  readonly title: string;
  readonly text?: string;
  readonly action?: ReactNode;
}

/** The strip without a tournament. */
function Message({ title, text, action }: MessageProps) {
  return (
    <WorldCard world="dash" art className={styles.strip}>
      <h2 className={styles.name}>{title}</h2>
      {text ? <p className={styles.text}>{text}</p> : null}
      {action ? <div className={styles.row}>{action}</div> : null}
    </WorldCard>
  );
}

export function LiveStripSkeleton() {
  return (
    <WorldCard world="dash" art className={`${styles.strip} ${styles.waiting}`}>
      {null}
    </WorldCard>
  );
}

/**
 * The tournament that is on or next, with its countdown and one button. It is as tall without one, while it is fetched and
 * when that failed, so that nothing below it moves.
 */
export function LiveStrip({ action, leadsTo }: LiveStripProps) {
  const shared = useSharedElement(SHARED_ART, leadsTo);
  const tournaments = useQuery(tournamentsQuery);
  const { data, isFetching, refetch } = tournaments;
  const error = useLastError(tournaments);
  const now = new Date(useServerNowAfter((data ?? []).flatMap(momentsOf)));
  if (!data && error) {
    const retry = (
      <Button variant="paper" busy={isFetching} onClick={() => void refetch()}>
        {t("ui.retry")}
      </Button>
    );
    return <Message title={t("tournaments.failed")} action={retry} />;
  }
  if (!data) return <LiveStripSkeleton />;
  const shown = liveOrNext(data, now);
  if (!shown) return <Message title={t("tournaments.none")} text={t("tournaments.empty")} />;
  const stage = stageOf(shown, now);
  return (
    <section aria-label={shown.name}>
      <WorldCard world={tournamentWorld(shown)} art artStyle={shared} className={styles.strip}>
        {stage === "ongoing" ? (
          <LiveBadge>{t("tournaments.live")}</LiveBadge>
        ) : (
          <span className={styles.next}>{t("tournaments.next")}</span>
        )}
        <h2 className={styles.name}>{shown.name}</h2>
        <div className={styles.row}>
          <Countdown
            until={stage === "ongoing" ? shown.ends : shown.starts}
            label={(ms) => timeLeftText(stage, ms)}
          />
          {action}
        </div>
      </WorldCard>
    </section>
  );
}
