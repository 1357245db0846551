import type { Rules } from "@sdk/types";
import { beforeAll, describe, expect, it } from "vitest";
import { loadGameRules } from "../../sdk/test/load";
import { ENGLISH, Player, SWAHILI, solve } from "../bots/player";
import { CHAIN_TICKS, Input, RUN_TICKS, Standing, Verdict } from "../src/state";
import { list } from "../tools/lists.mjs";

const GO_ON = 0;
const OVER = 1;
const NOT_ALLOWED = 2;

describe("Maneno's rules", () => {
  let rules: Rules;
  const english = new Set(list("english"));
  const words = (player: Player, length: number): number[][] =>
    [...solve(player.state.grid, english).values()].filter((path) => path.length === length);
  const first = (player: Player, length: number): number[] => words(player, length)[0] ?? [];

  beforeAll(async () => {
    rules = await loadGameRules("maneno");
  });

  it("take 60 ticks a second and 28 inputs", () => {
    expect(rules.ticksPerSecond).toBe(60);
    expect(rules.inputs).toBe(28);
  });

  it("draw the same grid from the same seed and language, and another one from another", () => {
    const grid = (seed: bigint, level: number): string => new Player(rules, seed, level).state.grid.join("");
    expect(grid(5n, ENGLISH)).toBe(grid(5n, ENGLISH));
    expect(grid(5n, ENGLISH)).not.toBe(grid(6n, ENGLISH));
    expect(grid(5n, ENGLISH)).not.toBe(grid(5n, SWAHILI));
    expect(grid(-9_223_372_036_854_775_808n, ENGLISH)).toMatch(/^[A-Z]{25}$/);
  });

  it("draw rich grids: 60 words or more, and a hidden word in each", () => {
    for (let seed = 1n; seed <= 60n; seed++) {
      for (const level of [SWAHILI, ENGLISH]) {
        const { state } = new Player(rules, seed * 31n, level);
        expect(state.words).toBeGreaterThanOrEqual(60);
        expect(state.hiddenLength).toBeGreaterThanOrEqual(7);
        expect(state.hidden.text).not.toMatch(/[B-Z]/);
      }
    }
  });

  it("end after 90 seconds, and then allow nothing", () => {
    const player = new Player(rules, 1n, ENGLISH);
    player.wait(RUN_TICKS - 1);
    expect(player.run.over).toBe(false);
    expect(rules.step(0)).toBe(OVER);
    expect(rules.step(0)).toBe(NOT_ALLOWED);
  });

  it("let the finger enter neighbours only, and no cell twice", () => {
    new Player(rules, 1n, ENGLISH);
    expect(rules.step(1)).toBe(GO_ON);
    expect(rules.step(3)).toBe(NOT_ALLOWED);
    expect(rules.step(1)).toBe(NOT_ALLOWED);
    expect(rules.step(7)).toBe(GO_ON);
    expect(rules.step(13)).toBe(GO_ON);
    expect(rules.step(1)).toBe(NOT_ALLOWED);
  });

  it("do not let a way run over the edge of the grid", () => {
    new Player(rules, 1n, ENGLISH);
    expect(rules.step(5)).toBe(GO_ON);
    expect(rules.step(6)).toBe(NOT_ALLOWED);
  });

  it("allow no input outside their range, and nothing changes then", () => {
    const player = new Player(rules, 1n, ENGLISH);
    for (const input of [-1, 28, 1000, Input.Submit, Input.Clear])
      expect(rules.step(input)).toBe(NOT_ALLOWED);
    expect(player.state.ticksLeft).toBe(RUN_TICKS);
  });

  it("take a letter back when the finger goes back to the cell before", () => {
    const player = new Player(rules, 1n, ENGLISH);
    player.enter([0, 1, 2]);
    player.enter([1]);
    expect(player.state.path).toEqual([0, 1]);
    player.enter([2]);
    expect(player.state.path).toEqual([0, 1, 2]);
    rules.step(Input.Clear);
    expect(player.state.path).toEqual([]);
  });

  it("say while the finger draws whether the letters are a word", () => {
    const player = new Player(rules, 2n, ENGLISH);
    const path = first(player, 4);
    player.enter(path);
    expect(player.state.standing).toBe(Standing.Word);
    rules.step(Input.Submit);
    player.enter(path);
    expect(player.state.standing).toBe(Standing.FoundBefore);
  });

  it.each([
    [3, 3],
    [4, 6],
    [5, 12],
    [6, 20],
    [7, 32],
  ])("give a word of %i letters %i points", (length, points) => {
    for (let seed = 1n; seed < 200n; seed++) {
      const player = new Player(rules, seed, ENGLISH);
      const path = words(player, length).find((way) => {
        const copy = new Player(rules, seed, ENGLISH);
        copy.play(way);
        return !copy.state.hiddenFound;
      });
      if (!path) continue;
      const again = new Player(rules, seed, ENGLISH);
      expect(again.play(path)).toBe(Verdict.Accepted);
      expect(again.run.score).toBe(points);
      return;
    }
    throw new Error("no grid has such a word");
  });

  it("count a word once", () => {
    const player = new Player(rules, 3n, ENGLISH);
    const path = first(player, 3);
    expect(player.play(path)).toBe(Verdict.Accepted);
    const { score } = player.run;
    expect(player.play(path)).toBe(Verdict.Repeated);
    expect(player.run.score).toBe(score);
    expect(player.state.found).toBe(1);
  });

  it("give nothing for two letters or for letters that are no word", () => {
    const player = new Player(rules, 3n, ENGLISH);
    expect(player.play([0, 1])).toBe(Verdict.TooShort);
    const known = solve(player.state.grid, english);
    const text = [0, 1, 2, 3, 4, 9]
      .map((cell) => player.state.grid[cell])
      .join("")
      .toLowerCase();
    expect(known.has(text)).toBe(false);
    expect(player.play([0, 1, 2, 3, 4, 9])).toBe(Verdict.NotAWord);
    expect(player.state.last.text).toBe(text.toUpperCase());
    expect(player.run.score).toBe(0);
  });

  it("add a point more for each further word within six seconds, up to five", () => {
    const player = new Player(rules, 4n, ENGLISH);
    const paths = words(player, 3).slice(0, 8);
    const gains = paths.map((path) => {
      const before = player.run.score;
      player.play(path);
      return player.run.score - before;
    });
    expect(gains).toEqual([3, 4, 5, 6, 7, 8, 8, 8]);
  });

  it("break the chain after six seconds without a word, not at a wrong one", () => {
    const player = new Player(rules, 4n, ENGLISH);
    const [one = [], two = [], three = []] = words(player, 3);
    player.play(one);
    player.play([0, 1]);
    player.play(two);
    expect(player.state.chain).toBe(2);
    player.wait(CHAIN_TICKS);
    expect(player.state.chain).toBe(0);
    player.play(three);
    expect(player.state.points).toBe(3);
  });

  it("give 30 points more for the hidden word", () => {
    const over = new Player(rules, 5n, ENGLISH);
    over.toEnd();
    const { text, cells } = over.state.hidden;
    expect(english.has(text.toLowerCase())).toBe(true);
    const player = new Player(rules, 5n, ENGLISH);
    expect(player.play(cells)).toBe(Verdict.Accepted);
    expect(player.state.hiddenFound).toBe(true);
    expect(player.run.score).toBe(20 + 12 * (text.length - 6) + 30);
  });

  it("count a word that is on its way when the time is up", () => {
    const player = new Player(rules, 6n, ENGLISH);
    player.wait(RUN_TICKS - 10);
    player.enter(first(player, 5));
    player.toEnd();
    expect(player.run.score).toBe(12);
  });

  it("show at the end the longest word that was not found, with a way that spells it", () => {
    for (let seed = 1n; seed <= 20n; seed++) {
      const player = new Player(rules, seed, ENGLISH);
      const known = [...solve(player.state.grid, english).keys()];
      const longest = Math.max(...known.map((word) => word.length));
      player.toEnd();
      const { text, cells } = player.state.missed;
      expect(text).toHaveLength(longest);
      expect(cells.map((cell) => player.state.grid[cell]).join("")).toBe(text);
      expect(known).toContain(text.toLowerCase());
    }
  });

  it("name a short word for a first hint, with a way that spells it", () => {
    for (let seed = 1n; seed <= 10n; seed++) {
      const player = new Player(rules, seed, ENGLISH);
      const { text, cells } = player.state.easy;
      expect(text).toHaveLength(4);
      expect(player.play(cells)).toBe(Verdict.Accepted);
    }
  });

  it("begin afresh at every init", () => {
    const player = new Player(rules, 7n, ENGLISH);
    player.play(first(player, 4));
    const again = new Player(rules, 7n, ENGLISH);
    expect([again.run.score, again.state.found, again.state.chain, again.state.path]).toEqual([0, 0, 0, []]);
    expect(again.play(first(again, 4))).toBe(Verdict.Accepted);
  });
});
