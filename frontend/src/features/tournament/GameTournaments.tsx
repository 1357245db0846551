import { useQuery } from "@tanstack/react-query";
import { Check, ChevronRight, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { durationText, momentsOf, stageOf, tournamentWorld } from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { t } from "@/lib/i18n/i18n";
import { useServerNowAfter } from "@/lib/useServerNow";
import { WorldCard } from "@/ui/Card";
import { TickingText } from "@/ui/Countdown";
import { Link } from "@/ui/Link";
import type { Tournament } from "./api";
import styles from "./GameTournaments.module.css";
import { Players, Prize, TimeLeft } from "./Parts";
import type { Entry } from "./useEntry";
import { useGames } from "./useGames";

interface GameTournamentsProps {
  readonly gameId: string;
  /** The tournament that the next run counts in, if any. */
  readonly enteredId: string | null;
  readonly entry: Entry;
  /** The link into a tournament. */
  readonly actionOf: (tournament: Tournament) => ReactNode;
  readonly toBoard: (tournament: Tournament) => string;
}

/** The game's ongoing tournaments. Renders nothing without one: the game can be played without them. */
export function GameTournaments({ gameId, enteredId, entry, actionOf, toBoard }: GameTournamentsProps) {
  const { data = [] } = useQuery(tournamentsQuery);
  const games = useGames();
  const now = new Date(useServerNowAfter(data.flatMap(momentsOf)));
  const ongoing = data
    .filter((each) => each.gameId === gameId && stageOf(each, now) === "ongoing")
    .sort((one, other) => Number(other.id === enteredId) - Number(one.id === enteredId));
  // A tournament that is not on is shown too, when the player came here for it.
  const isListed = ongoing.some(({ id }) => id === enteredId);
  const isRefused = enteredId !== null && entry.block !== null && !isListed;
  if (ongoing.length === 0 && !isRefused) return null;
  return (
    <section className={styles.section} aria-labelledby="tournaments">
      <h2 id="tournaments" className={styles.heading}>
        {t("tournaments.title")}
      </h2>
      {isRefused ? <Blocked entry={entry} /> : null}
      <ul className={styles.list}>
        {ongoing.map((tournament) => {
          const isEntered = tournament.id === enteredId;
          return (
            <li key={tournament.id}>
              <WorldCard world={tournamentWorld(tournament, games)} className={styles.card}>
                <div className={styles.words}>
                  <h3 className={styles.name}>{tournament.name}</h3>
                  <Prize tournament={tournament} />
                  <TimeLeft tournament={tournament} stage="ongoing" />
                </div>
                {isEntered ? null : actionOf(tournament)}
                {isEntered ? <Entered tournament={tournament} entry={entry} toBoard={toBoard} /> : null}
              </WorldCard>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Says how many runs the player has left, and links to the board. */
function Entered({
  tournament,
  entry,
  toBoard,
}: Pick<GameTournamentsProps, "entry" | "toBoard"> & { readonly tournament: Tournament }) {
  return (
    <>
      {entry.block ? (
        <Blocked entry={entry} />
      ) : (
        <p className={styles.entered} role="status">
          <Check size={20} strokeWidth={3} aria-hidden="true" />
          <span>
            {t("tournaments.entered")} · <Runs tournament={tournament} left={entry.runsLeft} />
          </span>
        </p>
      )}
      <div className={styles.foot}>
        <Players count={tournament.players} />
        <Link to={toBoard(tournament)} state={{ tournament }} className={styles.board}>
          {t("tournaments.board")}
          <ChevronRight size={20} aria-hidden="true" />
        </Link>
      </div>
    </>
  );
}

function Runs({ tournament, left }: { readonly tournament: Tournament; readonly left: number | null }) {
  if (left !== null) return t("runs.left", { count: left });
  const count = tournament.runsPerRound;
  return tournament.rounds > 1 ? t("runs.perRound", { count }) : t("runs.inAll", { count });
}

/** Says why the next run cannot count, and what can be done meanwhile. */
function Blocked({ entry: { block, nextRound } }: { readonly entry: Entry }) {
  return (
    <div className={styles.blocked} role="status">
      <Hourglass size={24} strokeWidth={2.25} aria-hidden="true" />
      <p>
        <strong className={styles.blockedTitle}>{t(block === "notOn" ? "runs.notOn" : "runs.used")}</strong>
        {block === "notOn" ? (
          t("runs.notOn.text")
        ) : nextRound ? (
          <TickingText
            textAt={(now) => t("runs.used.nextRound", { time: durationText(nextRound.getTime() - now) })}
          />
        ) : (
          t("runs.used.last")
        )}
      </p>
    </div>
  );
}
