import type { Chance } from "./types";

/** A random generator that repeats for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let word = seed | 0;
  return () => {
    word = (word + 0x6d2b79f5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from 0 to `limit` - 1. */
export function below(limit: number, chance: Chance): number {
  return Math.floor(chance() * limit);
}

/** Returns a random element of a list that is not empty. */
export function oneOf<T>(list: readonly T[], chance: Chance): T {
  return list[below(list.length, chance)] as T;
}
