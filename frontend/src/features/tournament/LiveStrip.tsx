import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { liveOrNext, momentsOf, SHARED_ART, stageOf, tournamentWorld } from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { formatCount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { useSignedIn } from "@/lib/session/useSession";
import { useServerNowAfter } from "@/lib/useServerNow";
import { LiveBadge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { WorldCard } from "@/ui/Card";
import { Link } from "@/ui/Link";
import { useSharedElement } from "@/ui/useSharedElement";
import type { Tournament } from "./api";
import styles from "./LiveStrip.module.css";
import { ordinalText } from "./ordinal";
import { Move, Players, Prize, TimeLeft } from "./Parts";
import { TournamentArt } from "./TournamentArt";
import { useGames } from "./useGames";
import { useStanding } from "./useStanding";

type ShownStage = "ongoing" | "upcoming";

interface LiveStripProps {
  readonly actionOf: (tournament: Tournament, stage: ShownStage) => ReactNode;
  /** The page of all tournaments, which the name opens: the art moves to the tournament's card there. Null for guests. */
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
      <h2 className={styles.message}>{title}</h2>
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

/** The player's place while the tournament is on, live; before the first score, the number of players. */
function OwnPlace({ tournament, isOn }: { readonly tournament: Tournament; readonly isOn: boolean }) {
  const isSignedIn = useSignedIn();
  const { standing, climbed } = useStanding(isSignedIn && isOn ? tournament.id : null);
  const players = standing?.players ?? tournament.players;
  if (!standing?.own) return isOn ? <Players count={players} /> : null;
  return (
    <span className={styles.place} role="status">
      {t("rank.youAreOf", { rank: ordinalText(standing.own.rank), players: formatCount(players) })}
      <Move by={climbed} />
    </span>
  );
}

/**
 * The tournament that is on or next, with its prize, countdown, the player's own place and one button. Without one,
 * while it is fetched and after a failure the strip has the same height, so that nothing below it moves.
 */
export function LiveStrip({ actionOf, leadsTo }: LiveStripProps) {
  const shared = useSharedElement(SHARED_ART, leadsTo);
  const tournaments = useQuery(tournamentsQuery);
  const games = useGames();
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
  const stage = stageOf(shown, now) === "ongoing" ? "ongoing" : "upcoming";
  return (
    <section aria-label={shown.name}>
      <WorldCard world={tournamentWorld(shown, games)} className={styles.strip}>
        <TournamentArt tournament={shown} games={games} className={styles.art} style={shared} />
        <div className={styles.head}>
          {stage === "ongoing" ? (
            <LiveBadge>{t("tournaments.live")}</LiveBadge>
          ) : (
            <span className={styles.next}>{t("tournaments.next")}</span>
          )}
          <h2 className={styles.name}>
            {leadsTo ? (
              <Link to={leadsTo} className={styles.link}>
                {shown.name}
              </Link>
            ) : (
              shown.name
            )}
          </h2>
        </div>
        <Prize tournament={shown} />
        <div className={styles.row}>
          <div className={styles.facts}>
            <TimeLeft tournament={shown} stage={stage} />
            <OwnPlace tournament={shown} isOn={stage === "ongoing"} />
          </div>
          {actionOf(shown, stage)}
        </div>
      </WorldCard>
    </section>
  );
}
