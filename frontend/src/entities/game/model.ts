import { knownWorld, type World, worldOf } from "@/ui/world";
import type { Game } from "./api";

type Named = Pick<Game, "name" | "world">;

/** The world whose art and colours belong to the game; null for a game without one. */
export function ownWorld({ world, name }: Named): World | null {
  return knownWorld(world) ?? knownWorld(name);
}

/** The colours that a game is shown in: those of its own world, else of one of the worlds, always the same. */
export function gameWorld(game: Named): World {
  return ownWorld(game) ?? worldOf(game.name);
}
