import { decodeInputs } from "@sdk/inputs";
import { replay } from "@sdk/run";
import { describe, expect, it } from "vitest";
import { play as playAjua } from "../../ajua/bots/bot";
import { play as playDumaDash } from "../../duma-dash/bots/bot";
import { play as playManeno } from "../../maneno/bots/bot";
import { loadGameRules } from "../../sdk/test/load";
import { chanceOf } from "../bots/chance";
import { limit } from "../bots/limit";
import { GIVEN_NAMES, usernames } from "../bots/names";
import { readOptions } from "../bots/options";
import { type Job, type Result, waitAfter } from "../bots/run";
import { Tally } from "../bots/tally";
import { contentId, ongoing, type Tournament } from "../bots/tournaments";
import type { Play } from "../bots/types";

describe("usernames of bots", () => {
  it("have the form that PlayOn takes, and differ", () => {
    const names = usernames(chanceOf(7));
    const made = Array.from({ length: 2000 }, () => names.next().value);
    for (const name of made) expect(name).toMatch(/^[a-z0-9._]{3,20}$/);
    expect(new Set(made).size).toBe(made.length);
  });

  it("begin with given names of which none is there twice", () => {
    expect(new Set(GIVEN_NAMES).size).toBe(GIVEN_NAMES.length);
    expect(GIVEN_NAMES.length).toBeGreaterThan(150);
  });
});

const PLAYS: [string, Play, number][] = [
  ["ajua", playAjua, 0],
  ["duma-dash", playDumaDash, 60],
  ["maneno", playManeno, 60],
];

describe.each(PLAYS)("a bot's run of %s", (game, play, ticksPerSecond) => {
  it("gives the same points when its inputs are replayed, and takes as long as its ticks", async () => {
    const [rules, server] = await Promise.all([loadGameRules(game), loadGameRules(game)]);
    for (let index = 0; index < 12; index++) {
      const seed = BigInt(index) * 7_919_000_003n - 20_000_000_000n;
      const start = {
        rules,
        seed,
        level: index % 2,
        skill: index / 11,
        longest: 40,
        chance: chanceOf(index),
      };
      const { inputs, points, seconds } = await play(start);
      const again = replay(server, seed, start.level, inputs);
      expect([again.over, again.score]).toEqual([true, points]);
      const pairs = decodeInputs(inputs);
      const steps = pairs.reduce((sum, [count]) => sum + count, 0);
      if (ticksPerSecond > 0) expect(seconds).toBe(steps / ticksPerSecond);
      // The rate of inputs stays well below that of fast thumbs, above which a run is held.
      const acts = pairs.filter(([, input]) => ticksPerSecond === 0 || input !== 0).length;
      expect(acts / seconds).toBeLessThan(10);
    }
  });
});

describe("a run's wait", () => {
  it("is what is left of the run's time, and a little more", () => {
    expect(waitAfter(30, 200)).toBeGreaterThan(29_800);
    expect(waitAfter(30, 200)).toBeLessThan(30_800);
    expect(waitAfter(1, 5000)).toBeLessThan(0);
  });
});

describe("tournaments to play", () => {
  const at = (id: string, starts: string, ends: string): Tournament => ({
    id,
    name: id,
    gameId: "",
    starts: `2026-11-22T${starts}:00Z`,
    ends: `2026-11-22T${ends}:00Z`,
    players: 0,
  });
  const now = Date.parse("2026-11-22T12:00:00Z");

  it("are those that are on, the one that ends first in front", () => {
    const list = [at("a", "11:00", "14:00"), at("b", "10:00", "12:00"), at("c", "12:00", "12:03")];
    expect(ongoing(list, null, now).map(({ id }) => id)).toEqual(["c", "a"]);
  });

  it("are found by the name that operators gave them", () => {
    // This is the id that svc-games derives from the key of the demo's game.
    expect(contentId("Game", "ajua")).toBe("ba93d8a6-e77d-872f-a7bc-d7bc1f466355");
    const list = [at(contentId("Tournament", "ajua-open"), "11:00", "14:00"), at("b", "11:00", "14:00")];
    expect(ongoing(list, ["ajua-open"], now)).toEqual([list[0]]);
    expect(ongoing(list, [list[0]?.id ?? ""], now)).toEqual([list[0]]);
  });
});

describe("the count of runs", () => {
  const job = (tournamentId: string | null): Job =>
    ({ player: {}, game: "ajua", gameId: "", level: null, tournamentId }) as unknown as Job;
  const count = (tournamentId: string | null, ...results: Result[]): Tally => {
    const tally = new Tally();
    for (const result of results) tally.add(job(tournamentId), result);
    return tally;
  };
  const taken = (trust: string, points: number): Result => ({
    kind: "taken",
    trust,
    points,
    rank: null,
    seconds: 20,
  });

  it("is well while every honest run is proven", () => {
    const tally = count(null, taken("PROVEN", 10), taken("PROVEN", 30));
    expect(tally.isHonoured).toBe(true);
    expect(tally.lines(41, 0)).toEqual([
      "ajua: 2 runs of 20 s; points 10 to 30, half of them 10 to 10, median 10",
      "2 proven, 0 held, 0 refused, 0 of other trust, 0 failed, 0 not started; 0 calls sent again; 41 s",
    ]);
  });

  it("is not when one is held, refused, or may not begin", () => {
    const refused: Result = { kind: "refused", reason: "OTHER_POINTS: No." };
    const notStarted: Result = { kind: "not started", reason: "NO_RUNS_LEFT: No." };
    for (const result of [taken("HELD", 10), refused, notStarted])
      expect(count(null, taken("PROVEN", 10), result).isHonoured).toBe(false);
    expect(count(null, refused).lines(1, 0)).toContain("1 × ajua refused: OTHER_POINTS: No.");
    expect(count("some", notStarted).isHonoured).toBe(true);
  });
});

describe("the options", () => {
  it("have values that play over all games", () => {
    expect(readOptions([])).toMatchObject({
      games: ["ajua", "maneno", "duma-dash"],
      fill: 0,
      accounts: null,
    });
    expect(readOptions(["--game", "ajua", "--runs", "7"])).toMatchObject({ games: ["ajua"], runs: 7 });
  });

  it("are refused when they are not known or have no such value", () => {
    for (const wrong of [
      ["--gmae", "ajua"],
      ["--game", "chess"],
      ["--runs", "0"],
      ["--players", "x"],
    ])
      expect(() => readOptions(wrong)).toThrow();
  });
});

describe("work with a limit", () => {
  it("runs so much at the same time and no more, and all of it", async () => {
    const atMost = limit(2);
    let running = 0;
    let most = 0;
    const done = Array.from({ length: 9 }, (_, index) =>
      atMost(async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        return index;
      }),
    );
    expect(await Promise.all(done)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(2);
  });
});
