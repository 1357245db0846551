import { useState } from "react";
import type { Game } from "@/entities/game/api";
import { WorldArt } from "@/ui/WorldArt";
import { knownWorld } from "@/ui/world";
import styles from "./GameArt.module.css";

/** A game's picture; without one, the drawing of its world; for a game that has neither, the mark of a play button. */
export function GameArt({ game }: { readonly game: Game }) {
  const [broken, setBroken] = useState(false);
  if (game.gameIcon && !broken)
    return (
      <img
        className={styles.picture}
        src={game.gameIcon}
        alt=""
        width={320}
        height={240}
        loading="lazy"
        onError={() => setBroken(true)}
      />
    );
  const world = knownWorld(game.name);
  if (world) return <WorldArt world={world} className={styles.picture} />;
  return (
    <svg className={styles.mark} viewBox="0 0 80 80" aria-hidden="true">
      <circle cx="40" cy="40" r="38" />
      <path d="M32 24c-2-1-4 0-4 3v26c0 3 2 4 4 3l22-13c2-1 2-5 0-6Z" />
    </svg>
  );
}
