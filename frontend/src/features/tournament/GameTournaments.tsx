import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { momentsOf, stageOf, timeLeftText, tournamentWorld } from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { t } from "@/lib/i18n/i18n";
import { useServerNowAfter } from "@/lib/useServerNow";
import { WorldCard } from "@/ui/Card";
import { Countdown } from "@/ui/Countdown";
import type { Tournament } from "./api";
import styles from "./GameTournaments.module.css";

interface GameTournamentsProps {
  readonly gameId: string;
  /** The tournament that the next run counts in, if any. */
  readonly enteredId: string | null;
  /** The way into a tournament. */
  readonly actionOf: (tournament: Tournament) => ReactNode;
}

/** The game's tournaments that are on. Nothing without one: the game can be played all the same. */
export function GameTournaments({ gameId, enteredId, actionOf }: GameTournamentsProps) {
  const { data = [] } = useQuery(tournamentsQuery);
  const now = new Date(useServerNowAfter(data.flatMap(momentsOf)));
  const ongoing = data
    .filter((each) => each.gameId === gameId && stageOf(each, now) === "ongoing")
    .sort((one, other) => Number(other.id === enteredId) - Number(one.id === enteredId));
  if (ongoing.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="tournaments">
      <h2 id="tournaments" className={styles.heading}>
        {t("tournaments.title")}
      </h2>
      <ul className={styles.list}>
        {ongoing.map((tournament) => (
          <li key={tournament.id}>
            <WorldCard world={tournamentWorld(tournament)} className={styles.card}>
              <div className={styles.words}>
                <h3 className={styles.name}>{tournament.name}</h3>
                <Countdown until={tournament.ends} label={(ms) => timeLeftText("ongoing", ms)} />
              </div>
              {tournament.id === enteredId ? (
                <p className={styles.entered}>
                  <Check size={20} strokeWidth={3} aria-hidden="true" />
                  {t("tournaments.entered")}
                </p>
              ) : (
                actionOf(tournament)
              )}
            </WorldCard>
          </li>
        ))}
      </ul>
    </section>
  );
}
