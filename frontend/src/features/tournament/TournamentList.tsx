import { useQuery } from "@tanstack/react-query";
import { Timer } from "lucide-react";
import { useEffect, useState } from "react";
import type { Tournament } from "@/features/tournament/api";
import { durationText, STAGES, type Stage, stageOf } from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { formatDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Button } from "@/ui/Button";
import { EmptyPodium } from "@/ui/EmptyArt";
import { Failed, Stale } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./TournamentList.module.css";

function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function countdownText(tournament: Tournament, stage: Stage, now: Date): string {
  const until = (at: Date) => durationText(at.getTime() - now.getTime());
  if (stage === "upcoming") return t("tournaments.startsIn", { time: until(tournament.starts) });
  if (stage === "ongoing") return t("tournaments.endsIn", { time: until(tournament.ends) });
  return t("tournaments.ended", { date: formatDate(tournament.ends) });
}

interface SectionProps {
  readonly stage: Stage;
  readonly tournaments: readonly Tournament[];
  readonly now: Date;
}

function Section({ stage, tournaments, now }: SectionProps) {
  if (tournaments.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={stage}>
      <h2 id={stage} className={styles.heading}>
        {t(`tournaments.${stage}`)}
      </h2>
      <ul className={styles.cards}>
        {tournaments.map((tournament) => (
          <li key={tournament.id} className={styles.card} data-stage={stage}>
            <h3 className={styles.name}>{tournament.name}</h3>
            <p className={styles.description}>{tournament.description}</p>
            <p className={styles.countdown}>
              <Timer size={18} strokeWidth={1.75} aria-hidden="true" />
              {countdownText(tournament, stage, now)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All tournaments by stage, with countdowns. */
export function TournamentList() {
  const now = useNow();
  const list = useQuery(tournamentsQuery);
  const error = useLastError(list);
  const retry = () => void list.refetch();
  if (error && !list.data) return <Failed error={error} busy={list.isFetching} onRetry={retry} />;
  if (!list.data) {
    return (
      <div className={styles.cards} role="status" aria-label={t("ui.loading")}>
        <Skeleton height={132} radius={20} />
        <Skeleton height={132} radius={20} />
        <Skeleton height={132} radius={20} />
      </div>
    );
  }
  if (list.data.length === 0) {
    return (
      <Notice
        art={<EmptyPodium />}
        title={t("ui.empty")}
        text={t("tournaments.empty")}
        action={
          <Button variant="quiet" busy={list.isFetching} onClick={retry}>
            {t("ui.refresh")}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Stale error={error} at={list.dataUpdatedAt} />
      {STAGES.map((stage) => (
        <Section
          key={stage}
          stage={stage}
          now={now}
          tournaments={list.data.filter((tournament) => stageOf(tournament, now) === stage)}
        />
      ))}
    </>
  );
}
