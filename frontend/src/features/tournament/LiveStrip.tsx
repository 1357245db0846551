import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { stageOf, timeLeftText, tournamentWorld } from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { t } from "@/lib/i18n/i18n";
import { useServerNow } from "@/lib/useServerNow";
import { LiveBadge } from "@/ui/Badge";
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

/** The tournament that is on or next, with its countdown and one button. Nothing while there is none. */
export function LiveStrip({ action }: { readonly action: ReactNode }) {
  const tournaments = useQuery(tournamentsQuery);
  const now = new Date(useServerNow());
  // In the strip's own height, so that nothing below moves when it arrives.
  if (tournaments.isPending && !tournaments.error)
    return (
      <WorldCard world="dash" className={styles.waiting}>
        {null}
      </WorldCard>
    );
  const shown = liveOrNext(tournaments.data ?? [], now);
  if (!shown) return null;
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
