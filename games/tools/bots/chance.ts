import type { Chance } from "./types";

/** Chance that is the same for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let word = seed | 0;
  return () => {
    word = (word + 0x6d2b79f5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to below `limit`. */
export function below(limit: number, chance: Chance): number {
  return Math.floor(chance() * limit);
}

/** One of a list that is not empty. */
export function oneOf<T>(list: readonly T[], chance: Chance): T {
  return list[below(list.length, chance)] as T;
}
