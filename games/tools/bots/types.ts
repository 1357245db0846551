import type { SeedOf } from "@sdk/run";
import type { Rules } from "@sdk/types";

/** Draws numbers from 0 to below 1. */
export type Chance = () => number;

/** The run that a bot plays. */
export interface Start {
  rules: Rules;
  seed: bigint;
  /** The seeds of the other pieces; without it those of practice. */
  seedOf?: SeedOf;
  level: number;
  /** The skill, from 0 for a beginner to 1. */
  skill: number;
  /** The longest wanted run in seconds, for a game that lasts as long as one plays well. */
  longest: number;
  chance: Chance;
  /** Waits for the seed of another piece, after the pieces that are over. */
  wait?: (pieces: readonly string[]) => Promise<void>;
}

/** A run that has ended. */
export interface PlayedRun {
  /** The inputs in the server's format. */
  inputs: string;
  points: number;
  /** Seconds that a person at the screen needs for the run. */
  seconds: number;
}

/** Plays a run as fast as the seeds of its pieces come. The caller waits for `seconds` before submitting it. */
export type Play = (start: Start) => Promise<PlayedRun>;
