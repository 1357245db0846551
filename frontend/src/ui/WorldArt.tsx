import type { CSSProperties } from "react";
import ajua from "./art/card-ajua.svg";
import dash from "./art/card-duma-dash.svg";
import maneno from "./art/card-maneno.svg";
import type { World } from "./world";

const drawings: Record<World, string> = { ajua, maneno, dash };

interface WorldArtProps {
  readonly world: World;
  readonly className?: string | undefined;
  readonly style?: CSSProperties | undefined;
}

/** The drawing of a world, 4:3. It is decoration: the game's name stands beside it. */
export function WorldArt({ world, className, style }: WorldArtProps) {
  return (
    <img
      className={className}
      style={style}
      src={drawings[world]}
      alt=""
      width={320}
      height={240}
      decoding="async"
    />
  );
}
