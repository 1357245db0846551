import { beforeAll, describe, expect, it } from "vitest";
import { Run } from "../../sdk/run";
import { loadGameRules } from "../../sdk/test/load";
import type { Rules } from "../../sdk/types";
import { type Bot, beginner, casual, good } from "../bots/skills";
import { Outcome, readState } from "../src/state";

const GAMES = 1000;
const OPPONENTS = [1, 2, 3];

let rules: Rules;
beforeAll(async () => {
  rules = await loadGameRules("ajua");
});

/** Plays seeded games; returns the share that the bot wins in percent, and its average points. */
function measure(bot: Bot, opponent: number): { wins: number; points: number } {
  let wins = 0;
  let points = 0;
  for (let game = 1; game <= GAMES; game++) {
    const seed = BigInt.asIntN(64, BigInt(game) * 0x9e3779b97f4a7c15n);
    const run = new Run(rules, seed, opponent, "practice");
    let state = readState(rules.memory, rules.state());
    while (!run.over) {
      run.step(bot(state, game * 31 + state.moves));
      state = readState(rules.memory, rules.state());
    }
    if (state.outcome === Outcome.Won) wins++;
    points += run.score;
  }
  return { wins: (100 * wins) / GAMES, points: points / GAMES };
}

describe("the opponents", () => {
  // One row per bot, one column per opponent: Kobe, Fisi, Sungura.
  let table: ReturnType<typeof measure>[][];
  const wins = (bot: number, opponent: number): number => table[bot]?.[opponent]?.wins ?? Number.NaN;
  const points = (bot: number, opponent: number): number => table[bot]?.[opponent]?.points ?? Number.NaN;

  beforeAll(() => {
    table = [beginner, casual, good].map((bot) => OPPONENTS.map((opponent) => measure(bot, opponent)));
  });

  it("lose 70 % of games to a beginner, 50 % to a casual player, and 30 % to a good one", () => {
    const about = [70, 50, 30];
    for (const [index, share] of about.entries()) {
      expect(wins(index, index)).toBeGreaterThan(share - 4);
      expect(wins(index, index)).toBeLessThan(share + 4);
    }
  });

  it("are each beaten more often by a more skilled player, and less often the stronger they are", () => {
    for (const index of [0, 1, 2]) {
      expect(wins(1, index)).toBeGreaterThan(wins(0, index));
      expect(wins(2, index)).toBeGreaterThan(wins(1, index));
      expect(wins(index, 1)).toBeLessThan(wins(index, 0));
      expect(wins(index, 2)).toBeLessThan(wins(index, 1));
    }
  });

  it("give a beginner the most points against Kobe, and a casual player against Fisi", () => {
    expect(points(0, 0)).toBeGreaterThan(Math.max(points(0, 1), points(0, 2)));
    expect(points(1, 1)).toBeGreaterThan(Math.max(points(1, 0), points(1, 2)));
  });
});
