import "@/ui/worlds.css";
import type { Game } from "@/entities/game/api";
import { GameArt } from "@/entities/game/GameArt";
import { WorldArt } from "@/ui/WorldArt";
import type { World } from "@/ui/world";
import { worldOf } from "@/ui/world";
import styles from "./GameTile.module.css";

/** A game as a card of its art, with its name and description. */
export function GameTile({ game }: { readonly game: Game }) {
  return (
    <div className={`${styles.tile} w-${worldOf(game.name)}`}>
      <GameArt game={game} />
      <h3 className={styles.name}>{game.name}</h3>
      <p className={styles.description}>{game.description}</p>
    </div>
  );
}

/** A tile's own box, with its world's drawing, faint and still. */
export function GameTileSkeleton({ world }: { readonly world: World }) {
  return (
    <span className={`${styles.tile} ${styles.box} w-${world}`}>
      <WorldArt world={world} className={styles.faint} />
    </span>
  );
}
