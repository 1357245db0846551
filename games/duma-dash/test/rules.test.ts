import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Run, replay } from "../../sdk/run";
import { loadGameRules } from "../../sdk/test/load";
import type { Rules } from "../../sdk/types";
import { KINDS, labelledRun } from "../bots/labelled";
import { Bot, type Skill } from "../bots/runner";
import * as S from "../src/state";

let rules: Rules;
let server: Rules;
beforeAll(async () => {
  rules = await loadGameRules("duma-dash");
  server = await loadGameRules("duma-dash");
});

const SKILLS: Skill[] = [
  { lead: 7, error: 1, blind: 10_000 },
  { lead: 7, error: 3, blind: 40 },
  { lead: 8, error: 5, blind: 18 },
  { lead: 9, error: 8, blind: 10 },
];

function play(seed: bigint, skill: Skill, noise: number): Run {
  const run = new Run(rules, seed, 0, "ranked");
  const bot = new Bot(rules, skill, noise);
  while (!run.over) run.step(bot.next());
  return run;
}

const state = (of: Rules): Int32Array => new Int32Array(of.memory.buffer, of.state(), S.WORDS);

describe("the rules of Duma Dash", () => {
  it("prove 200 runs of bots of varied skill: the replay gives the same score", () => {
    const scores: number[][] = SKILLS.map(() => []);
    const seconds: number[][] = SKILLS.map(() => []);
    for (let index = 0; index < 200; index++) {
      const level = index % SKILLS.length;
      const skill = SKILLS[level] as Skill;
      const seed = BigInt(index) * 7_919_000_003n - 90_000_000_000n;
      const run = play(seed, skill, index + 1);
      const again = replay(server, seed, 0, run.inputs());
      expect(again.over).toBe(true);
      expect(again.score).toBe(run.score);
      expect(again.steps).toBe(run.steps);
      expect(run.inputs().length).toBeLessThan(20_000);
      scores[level]?.push(run.score);
      seconds[level]?.push(run.steps / 60);
    }
    const mean = (values: number[] = []): number => values.reduce((a, b) => a + b, 0) / values.length;
    if (process.env.SHOW)
      process.stdout.write(
        `${SKILLS.map((_, i) => `${mean(scores[i]).toFixed(0)} points in ${mean(seconds[i]).toFixed(0)} s (max ${Math.max(...(scores[i] ?? []))})`).join("\n")}\n`,
      );
    // Better skill scores more, and a middling player runs for about a minute or two.
    expect(mean(scores[0])).toBeGreaterThan(mean(scores[1]));
    expect(mean(scores[1])).toBeGreaterThan(mean(scores[2]));
    expect(mean(scores[2])).toBeGreaterThan(mean(scores[3]));
    expect(mean(seconds[1])).toBeGreaterThan(45);
    expect(mean(seconds[1])).toBeLessThan(150);
  });

  it("have equal luck: without mistakes the standard deviation of points is less than 5 % of their mean", () => {
    const scores = Array.from({ length: 300 }, (_, index) => {
      const seed = BigInt(index) * 7_919_000_003n + 12_345n;
      return play(seed, { lead: 7, error: 0, blind: 1_000_000 }, index + 1).score;
    });
    const mean = scores.reduce((a, b) => a + b) / scores.length;
    const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
    expect(deviation / mean).toBeLessThan(0.05);
  });

  it("have equal luck: people with mistakes get the same points on each half of the seeds", () => {
    const half = (of: number): number => {
      const scores = Array.from({ length: 500 }, (_, index) => {
        const seed = BigInt(index * 2 + of) * 7_919_000_003n;
        return play(seed, { lead: 7, error: 3, blind: 40 }, index * 2 + of + 1).score;
      });
      return scores.reduce((a, b) => a + b) / scores.length;
    };
    // The mean of 500 such runs has a standard deviation of 3 %.
    expect(half(0) / half(1)).toBeGreaterThan(0.88);
    expect(half(0) / half(1)).toBeLessThan(1.13);
  });

  it("end a run without inputs at the third hit", () => {
    const run = new Run(rules, 5n, 0, "practice");
    while (!run.over) run.step(0);
    expect(state(rules)[S.LIVES]).toBe(0);
    expect(run.steps).toBeLessThan(60 * 30);
  });

  it("refuse inputs that are not theirs, and any after the end", () => {
    rules.init(1n, 0);
    const before = [...state(rules)];
    expect(rules.step(3)).toBe(2);
    expect(rules.step(-1)).toBe(2);
    expect([...state(rules)]).toEqual(before);
    while (rules.step(0) === 0);
    expect(rules.step(0)).toBe(2);
  });

  it("give another course for another seed, and the same one for the same", () => {
    const course = (seed: bigint): number[] => {
      rules.init(seed, 0);
      const kinds: number[] = [];
      for (let tick = 0; tick < 900; tick++) {
        rules.step(0);
        for (let slot = 0; slot < S.OBSTACLES; slot++)
          kinds.push(state(rules)[S.HEADER + slot * S.OBSTACLE_WORDS] ?? 0);
      }
      return kinds;
    };
    expect(course(1n)).toEqual(course(1n));
    expect(course(1n)).not.toEqual(course(2n));
  });

  it("say which obstacles a press answered, and how long before the runner was there", () => {
    const untilMet = (pressed: number[]): number[] => {
      rules.init(1n, 0);
      for (let tick = 1; tick < 180; tick++) {
        rules.step(pressed.includes(tick) ? S.INPUT_JUMP : 0);
        if (rules.answeredKind() > 0) return [tick, rules.answeredKind(), rules.answeredTicks()];
      }
      return [];
    };
    expect(untilMet([])).toEqual([]);
    const [met = 0, kind, ticks] = untilMet([125]);
    expect([kind, ticks]).toEqual([1, met - 125]);
    // An earlier jump that has landed answers nothing.
    expect(untilMet([60, 125])).toEqual([met, 1, met - 125]);
  });

  it("answer as the labelled runs of the screening have it", () => {
    const path = new URL("../../../svc-games/tests/it/labelled_runs.txt", import.meta.url);
    const lines = readFileSync(path, "utf8").split("\n");
    for (const kind of KINDS) expect(lines).toContain(labelledRun(rules, kind, 0));
  });

  it("jump once from the ground and once more in the air", () => {
    rules.init(1n, 0);
    rules.step(S.INPUT_JUMP);
    expect(state(rules)[S.EVENTS]).toBe(S.EVENT_JUMP);
    for (let tick = 0; tick < 12; tick++) rules.step(0);
    const height = state(rules)[S.Y] ?? 0;
    rules.step(S.INPUT_JUMP);
    expect(state(rules)[S.EVENTS]).toBe(S.EVENT_DOUBLE);
    for (let tick = 0; tick < 8; tick++) rules.step(0);
    expect(state(rules)[S.Y]).toBeGreaterThan(height);
    rules.step(S.INPUT_JUMP);
    expect(state(rules)[S.JUMPS]).toBe(2);
  });

  it("let a jump that comes a little before landing count", () => {
    rules.init(1n, 0);
    rules.step(S.INPUT_JUMP);
    rules.step(S.INPUT_JUMP);
    while ((state(rules)[S.Y] ?? 0) > 256 * 30 || (state(rules)[S.VY] ?? 0) > 0) rules.step(0);
    rules.step(S.INPUT_JUMP);
    let landed = 0;
    while (!(landed & S.EVENT_LAND)) {
      rules.step(0);
      landed = state(rules)[S.EVENTS] ?? 0;
    }
    expect(landed & S.EVENT_JUMP).toBe(S.EVENT_JUMP);
  });
});
