import * as z from "zod/mini";
import type { Game } from "@/entities/game/api";
import { t } from "@/lib/i18n/i18n";
import { deviceStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

const keyOf = (gameId: string) => `level:${gameId}`;
const shape = z.number();

/** The level that the player chose last on this phone; the first level if none was chosen. */
export function lastLevel(gameId: string, levels: number): number {
  const level = readStored(deviceStorage, keyOf(gameId), shape) ?? 0;
  return Number.isInteger(level) && level >= 0 && level < levels ? level : 0;
}

export function rememberLevel(gameId: string, level: number): void {
  deviceStorage.setItem(keyOf(gameId), JSON.stringify(level));
}

/** The levels of Maneno are its languages, whose names are the same in each. */
const MANENO = ["Kiswahili", "English"];

/** The name of a game's level, from 0 to `levels` - 1. */
export function levelName({ world, levels }: Pick<Game, "world" | "levels">, level: number): string {
  const language = world === "maneno" ? MANENO[level] : undefined;
  if (language) return language;
  if (levels > 3) return t("game.level.number", { number: level + 1 });
  if (level === 0) return t("game.level.easy");
  return level === levels - 1 ? t("game.level.hard") : t("game.level.medium");
}
