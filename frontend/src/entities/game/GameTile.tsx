import "@/ui/worlds.css";
import { Play } from "lucide-react";
import type { Game } from "@/entities/game/api";
import { GameArt } from "@/entities/game/GameArt";
import { gameWorld } from "@/entities/game/model";
import { useSharedArt } from "@/entities/game/sharedArt";
import { Link } from "@/ui/Link";
import { WorldArt } from "@/ui/WorldArt";
import type { World } from "@/ui/world";
import styles from "./GameTile.module.css";

interface GameTileProps {
  readonly game: Game;
  /** The game's details, which the whole card opens. */
  readonly to: string;
  /** The list that the card is in, because a game may be in several lists on one page. */
  readonly list: string;
}

/** A game as a card of its art, with its name and description. `action` is the text of the card's button. */
export function GameTile({ game, to, list, action }: GameTileProps & { readonly action: string }) {
  const [art, press] = useSharedArt(`${list}/${game.id}`, to);
  return (
    <Link to={to} className={`${styles.tile} w-${gameWorld(game)}`} onPointerDown={press} onKeyDown={press}>
      <GameArt game={game} style={art} />
      <span className={styles.name}>{game.name}</span>{" "}
      <span className={styles.foot}>
        <span className={styles.description}>{game.description}</span>
        <span className={styles.play} aria-hidden="true">
          <Play size={18} fill="currentColor" />
          {action}
        </span>
      </span>
    </Link>
  );
}

/** A game as a small card, for a row of several. */
export function SmallGameTile({ game, to, list }: GameTileProps) {
  const [art, press] = useSharedArt(`${list}/${game.id}`, to);
  return (
    <Link
      to={to}
      className={`${styles.tile} ${styles.small} w-${gameWorld(game)}`}
      onPointerDown={press}
      onKeyDown={press}
    >
      <GameArt game={game} style={art} />
      <span className={styles.smallName}>{game.name}</span>
    </Link>
  );
}

interface SkeletonProps {
  readonly world: World;
  readonly small?: boolean;
}

/** A tile's own box, with its world's drawing, faint and still. */
export function GameTileSkeleton({ world, small = false }: SkeletonProps) {
  return (
    <span className={`${styles.tile} ${small ? styles.small : ""} ${styles.box} w-${world}`}>
      <WorldArt world={world} className={styles.faint} />
    </span>
  );
}
