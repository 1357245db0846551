import "@/ui/worlds.css";
import { Play, Trophy } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { useLastError } from "@/lib/recovery";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf } from "@/lib/toast";
import { LiveBadge } from "@/ui/Badge";
import { Button, ButtonLink } from "@/ui/Button";
import { Duma } from "@/ui/Duma";
import { Failed, Stale } from "@/ui/Failed";
import { Awards } from "./Awards";
import { type BoardEntry, fetchRun, type Tournament } from "./api";
import { BoardHead } from "./BoardHead";
import { BoardList } from "./BoardList";
import { type BoardStage, podiumAndList } from "./board";
import { CheckResult } from "./CheckResult";
import styles from "./Leaderboard.module.css";
import { BoardRows, BoardSkeleton, PodiumSkeleton } from "./LeaderboardSkeleton";
import { tournamentWorld } from "./model";
import { OwnBar } from "./OwnBar";
import { OwnPrizes } from "./OwnPrizes";
import { Players, Prize, TimeLeft } from "./Parts";
import { Podium } from "./Podium";
import { useTournament } from "./queries";
import { useBoard } from "./useBoard";
import { useGames } from "./useGames";
import { useOnScreen } from "./useOnScreen";
import { useWatchRun } from "./useWatchRun";

/** The height of the bar with the player's own place. */
const BAR_PX = 82;

interface LeaderboardProps {
  readonly id: string;
  /** The tournament, if the previous page passed it. */
  readonly passed: Tournament | null;
  /** Where the back arrow leads from the first history entry. */
  readonly back: string;
  readonly toGame: (tournament: Tournament) => string;
  /** The path of the screen around a game. */
  readonly toPlay: (gameId: string) => string;
  /** The path of the screen on which the player confirms a phone for withdrawals. */
  readonly phones: string;
}

/** A tournament's podium, awards and places. */
export function Leaderboard({ id, passed, back, toGame, toPlay, phones }: LeaderboardProps) {
  const tournament = useTournament(id, passed);
  const error = useLastError(tournament);
  const goBack = useGoBack(back);
  if (tournament.data) {
    return (
      <OpenBoard
        key={id}
        tournament={tournament.data}
        onBack={goBack}
        toGame={toGame}
        toPlay={toPlay}
        phones={phones}
      />
    );
  }
  if (!error) return <BoardSkeleton onBack={goBack} />;
  return (
    <Frame world="dash" head={<BoardHead title={t("board.title")} onBack={goBack} />}>
      <div className={styles.failed}>
        <Duma pose="sulk" size={160} />
        <Failed error={error} busy={tournament.isFetching} onRetry={() => void tournament.refetch()} />
      </div>
    </Frame>
  );
}

interface FrameProps {
  readonly world: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

function Frame({ world, head, children }: FrameProps) {
  return (
    <div className={`${styles.screen} w-${world}`}>
      <main className={styles.main}>
        <div className={`${styles.stage} textured`}>{head}</div>
        <div className={styles.below}>{children}</div>
      </main>
    </div>
  );
}

interface OpenBoardProps {
  readonly tournament: Tournament;
  readonly onBack: () => void;
  readonly toGame: (tournament: Tournament) => string;
  /** The path of the screen around a game. */
  readonly toPlay: (gameId: string) => string;
  /** The path of the screen on which the player confirms a phone for withdrawals. */
  readonly phones: string;
}

function OpenBoard({ tournament, onBack, toGame, toPlay, phones }: OpenBoardProps) {
  const board = useBoard(tournament);
  const { stage, top, own, shown } = board;
  const world = tournamentWorld(tournament, useGames());
  const ownId = usePlayer()?.uid;
  const fetchOne = (userId: string) => fetchRun(tournament.id, userId);
  const { watch, busyWith } = useWatchRun(fetchOne, toPlay(tournament.gameId));
  const { ownElement, setOwn, jump } = useJump(board.showAround);
  const isOwnSeen = useOnScreen(ownElement, BAR_PX);
  const error = useLastError(top);
  const { podium, list } = podiumAndList(shown);
  const rows = { ownId, watching: busyWith, onWatch: watch, ownRef: setOwn };
  const winner = podium[0];
  const hasGap = (board.around[0]?.rank ?? 0) > (list.at(-1)?.rank ?? 3) + 1;

  return (
    <div className={`${styles.screen} w-${world}`}>
      <main className={styles.main}>
        <div className={`${styles.stage} textured`}>
          <BoardHead title={tournament.name} onBack={onBack}>
            <StagePill stage={stage} />
          </BoardHead>
          <div className={styles.hero}>
            <div className={styles.facts}>
              <Prize tournament={tournament} />
              <Time stage={stage} tournament={tournament} />
              <Players count={board.players} />
            </div>
            {stage === "ongoing" ? (
              <ButtonLink
                to={toGame(tournament)}
                state={{ tournament }}
                icon={<Play size={20} fill="currentColor" aria-hidden="true" />}
              >
                {t("tournaments.play")}
              </ButtonLink>
            ) : null}
          </div>
          {!top.data ? (
            error ? null : (
              <PodiumSkeleton />
            )
          ) : shown.length > 0 ? (
            <Podium
              // The new key animates the final podium again.
              key={stage === "final" ? "final" : "open"}
              {...rows}
              places={podium}
              canWatch={(entry: BoardEntry) => stage === "final" || entry.userId === ownId}
            />
          ) : (
            <EmptyBoard stage={stage} />
          )}
        </div>
        <div className={styles.below}>
          {stage === "settling" && shown.length > 0 ? <Settling /> : null}
          <OwnPrizes prizes={top.data?.pages[0]?.prizes ?? []} phones={phones} />
          {stage === "final" && winner ? (
            <Button
              variant="world"
              wide
              busy={busyWith === winner.userId}
              icon={<Play size={20} fill="currentColor" aria-hidden="true" />}
              onClick={() => watch(winner.userId)}
            >
              {t("board.watchWinner")}
            </Button>
          ) : null}
          {stage === "final" ? <CheckResult url={tournament.checkUrl} /> : null}
          <Awards tournamentId={tournament.id} />
          <div className={styles.places}>
            {!top.data && error ? (
              <Failed error={error} busy={top.isFetching} onRetry={() => void top.refetch()} />
            ) : null}
            {!top.data && !error ? <BoardRows /> : null}
            {top.data ? <Stale error={top.error} at={top.dataUpdatedAt} /> : null}
            {board.isLost ? <p className={styles.note}>{t("board.paused")}</p> : null}
            <BoardList {...rows} entries={list} label={t("board.title")} />
            {top.hasNextPage ? (
              <Button variant="quiet" busy={top.isFetchingNextPage} onClick={() => void top.fetchNextPage()}>
                {t("board.more")}
              </Button>
            ) : null}
            {top.isFetchNextPageError && top.error ? (
              <p role="alert" className={styles.note}>
                {messageOf(top.error)}
              </p>
            ) : null}
            {board.around.length > 0 ? (
              <>
                {hasGap ? <h2 className={styles.around}>{t("board.around")}</h2> : null}
                <BoardList {...rows} entries={board.around} label={t("board.around")} />
              </>
            ) : null}
          </div>
        </div>
      </main>
      {own ? (
        <OwnBar
          own={own}
          climbed={board.climbed}
          isShown={!isOwnSeen}
          isSearching={board.isAroundPending}
          watching={busyWith === ownId && ownId !== undefined}
          onJump={jump}
          onWatch={() => ownId && watch(ownId)}
        />
      ) : null}
    </div>
  );
}

/** Scrolls to the player's own row, which may have to be fetched first. */
function useJump(fetchAround: () => void) {
  const [ownElement, setOwn] = useState<HTMLElement | null>(null);
  const isWanted = useRef(false);
  const show = (element: HTMLElement) => {
    isWanted.current = false;
    const isStill = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView?.({ block: "center", behavior: isStill ? "auto" : "smooth" });
    element.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (ownElement && isWanted.current) show(ownElement);
  });
  const jump = () => {
    if (ownElement) show(ownElement);
    else {
      isWanted.current = true;
      fetchAround();
    }
  };
  return { ownElement, setOwn, jump };
}

function StagePill({ stage }: { readonly stage: BoardStage }) {
  if (stage === "ongoing") return <LiveBadge>{t("tournaments.live")}</LiveBadge>;
  if (stage === "upcoming") return <span className={styles.pill}>{t("tournaments.next")}</span>;
  return stage === "final" ? <span className={styles.pill}>{t("board.final")}</span> : null;
}

function Time({ stage, tournament }: { readonly stage: BoardStage; readonly tournament: Tournament }) {
  if (stage === "ongoing" || stage === "upcoming") return <TimeLeft tournament={tournament} stage={stage} />;
  return <p className={styles.ended}>{t("tournaments.ended", { date: formatDate(tournament.ends) })}</p>;
}

/** Shown between the end and the results. */
function Settling() {
  return (
    <div className={styles.settling} role="status">
      <Trophy size={28} strokeWidth={2.25} aria-hidden="true" />
      <p>
        <strong className={styles.settlingTitle}>{t("board.settling")}</strong>
        {t("board.settling.text")}
      </p>
    </div>
  );
}

/** Shown in place of the podium before the first score. */
function EmptyBoard({ stage }: { readonly stage: BoardStage }) {
  const [title, text] =
    stage === "upcoming"
      ? [t("board.upcoming"), t("board.upcoming.text")]
      : stage === "ongoing"
        ? [t("board.empty"), t("board.empty.text")]
        : [t("board.empty"), t("board.empty.over")];
  return (
    <div className={styles.empty}>
      <Duma pose={stage === "upcoming" ? "wave" : "look"} size={168} />
      <p className={styles.emptyTitle}>{title}</p>
      <p>{text}</p>
    </div>
  );
}
