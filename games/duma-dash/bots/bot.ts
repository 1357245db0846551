import { Run } from "@sdk/run";
import { StepResult } from "@sdk/types";
import { below } from "../../tools/bots/chance";
import type { Play } from "../../tools/bots/types";
import { Bot, type Skill } from "./runner";

const SHORTEST = 15;
// Seconds that a run lasts without inputs.
const LAST_SECONDS = 8;

/** `skill` from 0 to 1. */
function skillOf(skill: number): Skill {
  const between = (worst: number, best: number): number => worst + (best - worst) * skill;
  return {
    lead: Math.round(between(9, 7)),
    // The screening finds presses that vary less (docs/fair-play.md).
    error: Math.round(between(8, 3)),
    blind: Math.round(10 * 400 ** skill),
  };
}

export const play: Play = async ({ rules, seed, seedOf, level, skill, longest, chance, wait }) => {
  const run = new Run(rules, seed, level, "ranked", seedOf);
  const bot = new Bot(rules, skillOf(skill), below(2 ** 31, chance));
  // After this time the bot stops making inputs.
  const attentive = Math.max(SHORTEST, longest * (0.4 + 0.6 * chance()) - LAST_SECONDS);
  while (!run.over) {
    const input = run.steps < attentive * rules.ticksPerSecond ? bot.next() : 0;
    while (run.step(input) === StepResult.Waits) await wait?.(run.pieces);
  }
  return { inputs: run.inputs(), points: run.score, seconds: run.steps / rules.ticksPerSecond };
};
