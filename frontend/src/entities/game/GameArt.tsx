import { type CSSProperties, useState } from "react";
import type { Game } from "@/entities/game/api";
import { ownWorld } from "@/entities/game/model";
import { WorldArt } from "@/ui/WorldArt";
import styles from "./GameArt.module.css";

interface GameArtProps {
  readonly game: Game;
  /** The style of art that moves between pages. */
  readonly style?: CSSProperties | undefined;
}

/** A game's picture; without one, the drawing of its world; for a game that has neither, the mark of a play button. */
export function GameArt({ game, style }: GameArtProps) {
  const [broken, setBroken] = useState(false);
  if (game.gameIcon && !broken)
    return (
      <img
        className={styles.picture}
        style={style}
        src={game.gameIcon}
        alt=""
        width={320}
        height={240}
        loading="lazy"
        onError={() => setBroken(true)}
      />
    );
  const world = ownWorld(game);
  if (world) return <WorldArt world={world} className={styles.picture} style={style} />;
  return (
    <svg className={styles.mark} style={style} viewBox="0 0 80 80" aria-hidden="true">
      <circle cx="40" cy="40" r="38" />
      <path d="M32 24c-2-1-4 0-4 3v26c0 3 2 4 4 3l22-13c2-1 2-5 0-6Z" />
    </svg>
  );
}
