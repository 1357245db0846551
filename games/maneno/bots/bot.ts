import type { Chance, Play } from "../../tools/bots/types";
import { Input, TICKS_PER_SECOND } from "../src/state";
import { list } from "../tools/lists.mjs";
import { ENGLISH, Player, solve } from "./player";

/** Finds words as a person of that skill (0 to 1) would: with pauses, mostly short words, and some wrong ones. */
export function playLikeAPerson(player: Player, ways: number[][], skill: number, chance: Chance): void {
  const known = ways.filter((way) => chance() < skill / (way.length - 2));
  while (!player.run.over) {
    player.wait(Math.round(TICKS_PER_SECOND * (1 + (1 - skill) * 8 * chance())));
    const way = known[Math.floor(chance() * known.length)] ?? [0, 1];
    const wrong = chance() < 0.15;
    for (const cell of wrong ? way.slice(0, -1) : way) {
      player.enter([cell]);
      player.wait(4 + Math.floor(chance() * 10));
    }
    if (!player.run.over) player.run.step(chance() < 0.05 ? Input.Clear : Input.Submit);
  }
}

const dictionaries = new Map<number, Set<string>>();
const solved = new Map<string, number[][]>();
// Grids whose solutions are kept: all runs of a tournament's round share one grid.
const MOST_SOLVED = 50;

function dictionary(level: number): Set<string> {
  const words = dictionaries.get(level) ?? new Set(list(level === ENGLISH ? "english" : "swahili"));
  dictionaries.set(level, words);
  return words;
}

/** Returns the ways to the words of a grid; a grid that was solved recently is not solved again. */
export function waysOf(seed: bigint, level: number, grid: readonly string[]): number[][] {
  const key = `${seed} ${level}`;
  const ways = solved.get(key) ?? [...solve(grid, dictionary(level)).values()];
  const [oldest] = solved.keys();
  if (oldest !== undefined && solved.size >= MOST_SOLVED) solved.delete(oldest);
  solved.set(key, ways);
  return ways;
}

export const play: Play = async ({ rules, seed, level, skill, chance }) => {
  const player = new Player(rules, seed, level);
  playLikeAPerson(player, waysOf(seed, level, player.state.grid), skill, chance);
  const { run } = player;
  return { inputs: run.inputs(), points: run.score, seconds: run.steps / TICKS_PER_SECOND };
};
