import { Play, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Game } from "@/entities/game/api";
import { GameArt } from "@/entities/game/GameArt";
import { sharedArt } from "@/entities/game/sharedArt";
import { t } from "@/lib/i18n/i18n";
import { youtubeId } from "@/lib/youtube";
import { Video } from "@/ui/Video";
import styles from "./GameDetails.module.css";

interface PosterProps {
  readonly game: Game;
  readonly back: ReactNode;
}

/** The game's art with its name. A tap plays the trailer in its place; the video loads nothing before. */
export function Poster({ game, back }: PosterProps) {
  const [isWatching, setWatching] = useState(false);
  const trailer = youtubeId(game.trailerLink);
  const title = (
    <div className={styles.names}>
      <h1 className={styles.name}>{game.name}</h1>
      <p className={styles.package}>{game.packageId}</p>
    </div>
  );
  if (isWatching && trailer) {
    return (
      <header>
        <div className={styles.top}>
          {back}
          <button
            type="button"
            className={styles.round}
            aria-label={t("game.trailer.close")}
            onClick={() => setWatching(false)}
          >
            <X aria-hidden="true" />
          </button>
        </div>
        <div className={styles.cinema}>
          <Video id={trailer} title={t("game.trailer.of", { name: game.name })} />
        </div>
        <div className={styles.below}>{title}</div>
      </header>
    );
  }
  return (
    <header className={styles.poster}>
      <GameArt game={game} style={sharedArt} />
      <div className={styles.top}>{back}</div>
      <div className={styles.foot}>
        {title}
        {trailer ? (
          <button type="button" className={styles.trailer} onClick={() => setWatching(true)}>
            <Play size={18} fill="currentColor" aria-hidden="true" />
            {t("game.trailer")}
          </button>
        ) : null}
      </div>
    </header>
  );
}
