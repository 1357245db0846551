import { Run } from "@sdk/run";
import type { Rules } from "@sdk/types";
import { canEnter } from "../src/path";
import { CELLS, Input, State } from "../src/state";

export const SWAHILI = 0;
export const ENGLISH = 1;

/** Plays a run by entering ways and submitting them. */
export class Player {
  readonly run: Run;
  readonly state: State;

  constructor(rules: Rules, seed: bigint, level: number) {
    this.run = new Run(rules, seed, level, "practice");
    this.state = new State(rules);
  }

  wait(ticks: number): void {
    for (let tick = 0; tick < ticks && !this.run.over; tick++) this.run.step(0);
  }

  enter(path: readonly number[]): void {
    for (const cell of path) if (!this.run.over) this.run.step(cell + 1);
  }

  play(path: readonly number[]): number {
    this.enter(path);
    if (!this.run.over) this.run.step(Input.Submit);
    return this.state.verdict;
  }

  toEnd(): void {
    while (!this.run.over) this.run.step(0);
  }
}

// Cutting all words of a list into prefixes is slow, so the result is kept.
const prefixesOf = new WeakMap<ReadonlySet<string>, Set<string>>();

function cut(words: ReadonlySet<string>): Set<string> {
  const prefixes = new Set<string>();
  for (const word of words)
    for (let length = 1; length <= word.length; length++) prefixes.add(word.slice(0, length));
  prefixesOf.set(words, prefixes);
  return prefixes;
}

/** Every word of a list that lies in a grid, with a way to it. */
export function solve(grid: readonly string[], words: ReadonlySet<string>): Map<string, number[]> {
  const prefixes = prefixesOf.get(words) ?? cut(words);
  const found = new Map<string, number[]>();
  const search = (path: number[], text: string): void => {
    if (!prefixes.has(text)) return;
    if (words.has(text) && !found.has(text)) found.set(text, [...path]);
    for (let cell = 0; cell < CELLS; cell++) {
      if (!canEnter(path, cell)) continue;
      search([...path, cell], text + (grid[cell] ?? "").toLowerCase());
    }
  };
  for (let cell = 0; cell < CELLS; cell++) search([cell], (grid[cell] ?? "").toLowerCase());
  return found;
}
