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

const read = (gameId: string, key: string) => deviceStorage.getItem(prefixOf(gameId) + key);
/** The keys of a game's texts, those first that were not written for the longest time. */
const keysOf = (gameId: string) => readStored(deviceStorage, listOf(gameId), list) ?? [];

/** Reads what the phone keeps for a game. */
export function keptByGame(gameId: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const key of keysOf(gameId)) {
    const text = read(gameId, key);
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
  const keys = keysOf(gameId).filter((other) => other !== key);
  if (text === null) deviceStorage.removeItem(prefixOf(gameId) + key);
  else {
    let letters = text.length;
    const fits = (other: string, place: number) => {
      letters += read(gameId, other)?.length ?? 0;
      return letters <= MAX_LETTERS && place < MAX_TEXTS - 1;
    };
    const newest = [...keys].reverse();
    const end = newest.findIndex((other, place) => !fits(other, place));
    if (end !== -1)
      for (const old of keys.splice(0, newest.length - end)) deviceStorage.removeItem(prefixOf(gameId) + old);
    keys.push(key);
    deviceStorage.setItem(prefixOf(gameId) + key, text);
  }
  deviceStorage.setItem(listOf(gameId), JSON.stringify(keys));
}
