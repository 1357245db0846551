import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { momentsOf, stageOf, timeLeftText, tournamentWorld } from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { useServerNowAfter } from "@/lib/useServerNow";
import { LiveBadge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { WorldCard } from "@/ui/Card";
import { Countdown } from "@/ui/Countdown";
import type { Tournament } from "./api";
import styles from "./LiveStrip.module.css";

/** The tournament that ends next; while none is on, the one that starts next. */
export function liveOrNext(tournaments: readonly Tournament[], now: Date): Tournament | null {
  const at = (stage: "ongoing" | "upcoming") => tournaments.filter((each) => stageOf(each, now) === stage);
  const ongoing = at("ongoing").sort((one, other) => one.ends.getTime() - other.ends.getTime());
  const upcoming = at("upcoming").sort((one, other) => one.starts.getTime() - other.starts.getTime());
  return ongoing[0] ?? upcoming[0] ?? null;
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
export function LiveStrip({ action }: { readonly action: ReactNode }) {
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
      <WorldCard world={tournamentWorld(shown)} art className={styles.strip}>
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
