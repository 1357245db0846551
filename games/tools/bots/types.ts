import type { Rules } from "@sdk/types";

/** Draws numbers from 0 to below 1. */
export type Chance = () => number;

/** What a bot plays. */
export interface Start {
  rules: Rules;
  seed: bigint;
  level: number;
  /** From 0, who hardly knows the game, to 1. */
  skill: number;
  /** The longest run in seconds that is wanted of a game that goes on as long as one plays well. */
  longest: number;
  chance: Chance;
}

/** A run that is over. */
export interface PlayedRun {
  /** As the server takes them. */
  inputs: string;
  points: number;
  /** How long a person at the screen needs for it. */
  seconds: number;
}

/** Plays a whole run at once. Whoever submits it waits for `seconds` first. */
export type Play = (start: Start) => PlayedRun;
