import { decodeInputs, MAX_INPUT_BYTES } from "@sdk/inputs";
import { replay } from "@sdk/run";
import { describe, expect, it } from "vitest";
import { loadGameRules } from "../../sdk/test/load";
import { list } from "../tools/lists.mjs";
import { Player, solve } from "./player";

const RUNS = 200;

/** Chance for the bots, the same at every run of the tests. */
function chances(seed: number): () => number {
  let word = seed * 2_654_435_761 + 1;
  return () => {
    word = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((word ^ (word >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Finds words as a person of that skill (0 to 1) does: pauses, short words mostly, wrong ones now and then. */
function playLikeAPerson(player: Player, ways: number[][], skill: number, chance: () => number): void {
  const known = ways.filter((way) => chance() < skill / (way.length - 2));
  while (!player.run.over) {
    player.wait(Math.round(60 * (1 + (1 - skill) * 8 * chance())));
    const way = known[Math.floor(chance() * known.length)] ?? [0, 1];
    const wrong = chance() < 0.15;
    for (const cell of wrong ? way.slice(0, -1) : way) {
      player.enter([cell]);
      player.wait(4 + Math.floor(chance() * 10));
    }
    if (!player.run.over) player.run.step(chance() < 0.05 ? 27 : 26);
  }
}

describe("200 runs of bots", () => {
  it("score by skill, and a replay of the inputs on a fresh module gives the same points", async () => {
    const dictionaries = [new Set(list("swahili")), new Set(list("english"))];
    const [played, proven] = await Promise.all([loadGameRules("maneno"), loadGameRules("maneno")]);
    const byTier = [0, 0, 0, 0];
    let most = 0;
    for (let index = 0; index < RUNS; index++) {
      const level = index % 2;
      const tier = Math.floor(index / 2) % 4;
      // Grids are shared by some bots: to solve one in JavaScript is the slow part of this test.
      const seed = BigInt(Math.floor(index / 8)) * 7_777_777_777n - 5n;
      const player = new Player(played, seed, level);
      const ways = solutions(seed, level, player.state.grid, dictionaries[level] ?? new Set());
      playLikeAPerson(player, ways, [0.1, 0.3, 0.6, 0.95][tier] ?? 0, chances(index + 1));
      const { score } = player.run;
      const inputs = player.run.inputs();
      const bytes = atob(inputs).length;
      expect(bytes).toBeLessThan(MAX_INPUT_BYTES / 8);
      expect(decodeInputs(inputs).reduce((sum, [steps]) => sum + steps, 0)).toBe(5400);
      most = Math.max(most, score);
      byTier[tier] = (byTier[tier] ?? 0) + score;
      const again = replay(proven, seed, level, inputs);
      expect([again.over, again.score]).toEqual([true, score]);
    }
    expect(byTier).toEqual([...byTier].sort((a, b) => a - b));
    expect(most).toBeGreaterThan(150);
  }, 120_000);
});

const solved = new Map<string, number[][]>();

function solutions(seed: bigint, level: number, grid: string[], words: ReadonlySet<string>): number[][] {
  const key = `${seed} ${level}`;
  const known = solved.get(key) ?? [...solve(grid, words).values()];
  solved.set(key, known);
  return known;
}
