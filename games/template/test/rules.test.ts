import { expect, it } from "vitest";
import { Run, replay } from "../../sdk/run";
import { loadGameRules } from "../../sdk/test/load";
import type { Rules } from "../../sdk/types";

const play = (rules: Rules, seed: bigint, early: number): Run => {
  const run = new Run(rules, seed, 0, "ranked");
  const state = new Int32Array(rules.memory.buffer, rules.state(), 8);
  while (!run.over) run.step((state[1] ?? 0) === early ? 1 : 0);
  return run;
};

it("a replay of a run gives its score", async () => {
  const rules = await loadGameRules("template");
  for (let seed = 0n; seed < 50n; seed++) {
    const run = play(rules, seed, Number(seed % 12n));
    expect(replay(await loadGameRules("template"), seed, 0, run.inputs()).score).toBe(run.score);
  }
});

it("presses at the right moment score, a run without any ends", async () => {
  const rules = await loadGameRules("template");
  expect(play(rules, 3n, 1).score).toBeGreaterThan(500);
  expect(play(rules, 3n, -100).score).toBe(0);
});
