import { decodeInputs, MAX_INPUT_BYTES } from "@sdk/inputs";
import { replay } from "@sdk/run";
import { describe, expect, it } from "vitest";
import { loadGameRules } from "../../sdk/test/load";
import { chanceOf } from "../../tools/bots/chance";
import { playLikeAPerson, waysOf } from "../bots/bot";
import { Player } from "../bots/player";

const RUNS = 200;

describe("200 runs of bots", () => {
  it("score by skill, and a replay of the inputs on a fresh module gives the same points", async () => {
    const [played, proven] = await Promise.all([loadGameRules("maneno"), loadGameRules("maneno")]);
    const byTier = [0, 0, 0, 0];
    let most = 0;
    for (let index = 0; index < RUNS; index++) {
      const level = index % 2;
      const tier = Math.floor(index / 2) % 4;
      // Some bots share a grid, which is solved once.
      const seed = BigInt(Math.floor(index / 8)) * 7_777_777_777n - 5n;
      const player = new Player(played, seed, level);
      const ways = waysOf(seed, level, player.state.grid);
      playLikeAPerson(player, ways, [0.1, 0.3, 0.6, 0.95][tier] ?? 0, chanceOf(index + 1));
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
