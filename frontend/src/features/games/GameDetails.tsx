import "@/ui/worlds.css";
import { ArrowLeft, Play, ShieldCheck } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import type { Game } from "@/entities/game/api";
import { gameWorld } from "@/entities/game/model";
import { useGame } from "@/entities/game/queries";
import { OtherGames } from "@/features/games/GameLists";
import { GameFailed, GameSkeleton } from "@/features/games/GameStates";
import { LevelChoice } from "@/features/games/LevelChoice";
import { lastLevel, rememberLevel } from "@/features/games/level";
import { Poster } from "@/features/games/Poster";
import { type StartOptions, useStartGame } from "@/features/games/useStartGame";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { Button, ButtonLink } from "@/ui/Button";
import { Stage } from "@/ui/Stage";
import styles from "./GameDetails.module.css";

interface GameDetailsProps {
  readonly id: string;
  /** The tournament that the run counts in, if any. */
  readonly tournamentId: string | null;
  /** Whether to start a run at once: the game's own Play again leads here. */
  readonly autoStart: boolean;
  /** Called before an automatic run starts, so that a return to this page does not start another one. */
  readonly onAutoStart: () => void;
  /** Where the back arrow leads from the first history entry. */
  readonly home: string;
  readonly signIn: string;
  /** The game's tournaments. */
  readonly tournaments?: ReactNode;
  /** The chat rooms about the game. */
  readonly rooms?: ReactNode;
  /** The link to the player's best run. */
  readonly bestRun?: ReactNode;
  /** Whether a run cannot be started now: then only practice is offered. */
  readonly isBlocked?: boolean;
  readonly onRefused?: StartOptions["onRefused"];
  /** The path of the screen around the game. */
  readonly playScreen: string;
  /** The path of another game's details. */
  readonly linkOf: (id: string) => string;
}

/** A game with its trailer, description and level, and the buttons that open it. */
export function GameDetails(props: GameDetailsProps) {
  const game = useGame(props.id);
  const goBack = useGoBack(props.home);
  if (game.data) return <Details key={game.data.id} {...props} game={game.data} onBack={goBack} />;
  if (game.error) {
    return (
      <GameFailed
        error={game.error}
        busy={game.isFetching}
        back={props.home}
        onRetry={() => void game.refetch()}
      />
    );
  }
  return <GameSkeleton back={<BackButton onBack={goBack} />} />;
}

function BackButton({ onBack }: { readonly onBack: () => void }) {
  return (
    <button type="button" className={styles.round} aria-label={t("ui.back")} onClick={onBack}>
      <ArrowLeft aria-hidden="true" />
    </button>
  );
}

const playIcon = <Play size={20} fill="currentColor" aria-hidden="true" />;

interface DetailsProps extends GameDetailsProps {
  readonly game: Game;
  readonly onBack: () => void;
}

function Details(props: DetailsProps) {
  const { game, tournamentId, autoStart, onAutoStart, signIn, tournaments, rooms, bestRun, linkOf, onBack } =
    props;
  const { isBlocked = false, onRefused, playScreen } = props;
  useTitle(game.name);
  const isSignedIn = useSignedIn();
  const [level, setLevel] = useState(() => lastLevel(game.id, game.levels));
  const { isStarting, play, practise } = useStartGame(game, { screen: playScreen, onRefused });
  const [auto, setAuto] = useState<"wanted" | "started" | "off">(autoStart ? "wanted" : "off");

  // In a tournament everybody plays the same level, which the server knows. The game itself chooses the level of a
  // guest's practice run.
  const hasLevels = game.levels > 1 && tournamentId === null && isSignedIn;
  const run = { tournamentId, level: hasLevels ? level : null };
  const startAtOnce = useEffectEvent(() => {
    setAuto("started");
    onAutoStart();
    play({ ...run, go: true });
  });
  useEffect(() => {
    if (auto !== "wanted") return;
    const timer = setTimeout(() => startAtOnce());
    return () => clearTimeout(timer);
  }, [auto]);

  const choose = (chosen: number) => {
    setLevel(chosen);
    rememberLevel(game.id, chosen);
  };
  if (auto === "wanted" || (auto === "started" && isStarting)) {
    return (
      <main className={styles.starting}>
        <Stage pose="run" world={gameWorld(game)} title={t("game.starting", { name: game.name })} />
      </main>
    );
  }
  return (
    <div className={`${styles.wash} w-${gameWorld(game)}`}>
      <div className={styles.screen}>
        <Poster game={game} back={<BackButton onBack={onBack} />} />
        <main className={styles.main}>
          <p className={styles.description}>{game.description}</p>
          {hasLevels ? <LevelChoice game={game} level={level} onChoose={choose} /> : null}
          {tournaments}
          <p className={styles.fair}>
            <ShieldCheck size={24} aria-hidden="true" />
            {t(isSignedIn ? "game.fair" : "game.guest")}
          </p>
          {bestRun}
          {rooms}
          <OtherGames linkOf={linkOf} id={game.id} />
        </main>
        <div className={styles.dock}>
          {isSignedIn && isBlocked ? (
            <Button wide busy={isStarting} icon={playIcon} onClick={() => practise()}>
              {t("game.practice")}
            </Button>
          ) : isSignedIn ? (
            <>
              <Button variant="quiet" aria-disabled={isStarting} onClick={() => isStarting || practise()}>
                {t("game.practice")}
              </Button>
              <Button wide busy={isStarting} icon={playIcon} onClick={() => play(run)}>
                {t("game.playNow")}
              </Button>
            </>
          ) : (
            <>
              <ButtonLink variant="quiet" to={signIn}>
                {t("game.signIn")}
              </ButtonLink>
              <Button wide busy={isStarting} icon={playIcon} onClick={() => practise()}>
                {t("game.practice")}
              </Button>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
