import { describe, expect, it } from "vitest";
import { loadGameRules } from "../../sdk/test/load";
import { ENGLISH, Player, SWAHILI, solve } from "../bots/player";
import { build, pack, unpack } from "../tools/dawg.mjs";
import { list } from "../tools/lists.mjs";

describe.each([
  ["swahili", SWAHILI],
  ["english", ENGLISH],
] as const)("the %s words", (language, level) => {
  const words = list(language);

  it("are packed without loss: the automaton holds exactly the list", () => {
    const sorted = [...words].sort();
    expect(unpack(pack(build(sorted)))).toEqual(sorted);
  });

  it("have 3 to 9 letters, each once, none of them refused", () => {
    expect(words.filter((word) => !/^[a-z]{3,9}$/.test(word))).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
    const refused = new Set(list(`refused-${language}`));
    expect(words.filter((word) => refused.has(word))).toEqual([]);
  });

  it("contain every hidden word, of 7 to 9 letters", () => {
    const known = new Set(words);
    const hidden = list(`hidden-${language}`);
    expect(hidden.filter((word) => !known.has(word) || word.length < 7 || word.length > 9)).toEqual([]);
    expect(hidden.length).toBeGreaterThan(150);
  });

  it("are found in a grid by the rules as by a plain search of the list, each one", async () => {
    const rules = await loadGameRules("maneno");
    const known = new Set(words);
    for (let seed = 1n; seed <= 12n; seed++) {
      const player = new Player(rules, seed * 99_991n, level);
      const expected = solve(player.state.grid, known);
      expect(player.state.words).toBe(expected.size);
      // 90 seconds are too short to enter all words, so every run enters a part of them.
      for (const [word, path] of expected) {
        if (player.run.over) break;
        player.enter(path);
        if (player.run.over) break;
        expect([word, player.state.standing]).toEqual([word, 1]);
        player.run.step(27);
      }
    }
  });
});
