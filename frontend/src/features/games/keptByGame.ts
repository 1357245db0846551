import * as z from "zod/mini";
import { deviceStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

/** Most texts that are kept for a game. It needs some, and one for each run that goes on. */
const MAX_TEXTS = 20;
/** The longest text, in letters. The inputs of a run are at most 64 KiB, which are 88,000 letters of base64. */
const MAX_LENGTH = 200_000;
/** Most letters that are kept for a game: a browser gives the app some five million for everything. */
const MAX_LETTERS = 400_000;
const KEY = /^[\w.-]{1,200}$/;
const list = z.array(z.string());

const listOf = (gameId: string) => `game:${gameId}`;
/** The key of a text that is kept for a game; `prefixOf` is what all of a game's keys begin with. */
export const prefixOf = (gameId: string) => `game:${gameId}:`;

/** The keys of a game's texts, those first that were not written for the longest time. */
const keysOf = (gameId: string) => readStored(deviceStorage, listOf(gameId), list) ?? [];

/** Reads what the phone keeps for a game. */
export function keptByGame(gameId: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const key of keysOf(gameId)) {
    const text = deviceStorage.getItem(prefixOf(gameId) + key);
    if (text !== null) kept[key] = text;
  }
  return kept;
}

/**
 * Keeps a text for a game, or drops it (null). A key or a text beyond the limits is not kept. Where there is no room, the
 * texts go that were not written for the longest time.
 */
export function keepForGame(gameId: string, key: string, text: string | null): void {
  if (!KEY.test(key) || (text !== null && text.length > MAX_LENGTH)) return;
  const prefix = prefixOf(gameId);
  const others = keysOf(gameId).filter((other) => other !== key);
  if (text === null) deviceStorage.removeItem(prefix + key);
  else {
    const lengths = others.map((other) => deviceStorage.getItem(prefix + other)?.length ?? 0);
    let letters = lengths.reduce((sum, length) => sum + length, text.length);
    while (others.length >= MAX_TEXTS || letters > MAX_LETTERS) {
      deviceStorage.removeItem(prefix + others.shift());
      letters -= lengths.shift() ?? 0;
    }
    others.push(key);
    deviceStorage.setItem(prefix + key, text);
  }
  deviceStorage.setItem(listOf(gameId), JSON.stringify(others));
}
