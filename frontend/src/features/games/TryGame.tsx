import "@/ui/worlds.css";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import type { Game } from "@/entities/game/api";
import { GameArt } from "@/entities/game/GameArt";
import { gameWorld } from "@/entities/game/model";
import { gamesQuery } from "@/entities/game/queries";
import { useStartGame } from "@/features/games/useStartGame";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import styles from "./TryGame.module.css";

interface TrialProps {
  readonly game: Game;
  /** The path of the screen around a game. */
  readonly toPlay: (id: string) => string;
}

function Trial({ game, toPlay }: TrialProps) {
  const { isStarting, practise } = useStartGame(game, { screen: toPlay(game.id), keepsPage: true });
  return (
    <section className={`${styles.card} w-${gameWorld(game)}`} aria-labelledby="try">
      <GameArt game={game} />
      <div className={styles.foot}>
        <div className={styles.words}>
          <h1 id="try" className={styles.title}>
            {t("home.try", { name: game.name })}
          </h1>
          <p className={styles.text}>{t("home.try.text")}</p>
        </div>
        <Button
          busy={isStarting}
          icon={<Play size={20} fill="currentColor" aria-hidden="true" />}
          onClick={() => practise(true)}
        >
          {t("game.practice")}
        </Button>
      </div>
    </section>
  );
}

/**
 * For guests: the first game of the catalogue, one tap from its practice run. Shows an empty box while the catalogue
 * loads.
 */
export function TryGame({ toPlay }: Pick<TrialProps, "toPlay">) {
  const games = useQuery(gamesQuery);
  const game = games.data?.[0];
  if (game) return <Trial game={game} toPlay={toPlay} />;
  return games.isPending ? <div className={`${styles.card} ${styles.box} w-dash`} /> : null;
}
