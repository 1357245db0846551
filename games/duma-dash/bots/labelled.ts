import { Run } from "@sdk/run";
import type { Rules } from "@sdk/types";
import { Bot, type Skill } from "./runner";

/** A kind of player, whose runs the screening of exact presses is measured with (docs/fair-play.md). */
interface Kind {
  name: string;
  runs: number;
  skill: Skill;
  searches?: boolean;
}

/** Errors of a bot that presses a tick later at each second obstacle. */
const BY_TURNS = Array.from({ length: 400 }, (_, index) => index % 2);

export const KINDS: Kind[] = [
  { name: "person-33ms", runs: 100, skill: { lead: 7, error: 3, blind: 40 } },
  { name: "person-43ms", runs: 100, skill: { lead: 8, error: 4, blind: 25 } },
  { name: "person-53ms", runs: 100, skill: { lead: 8, error: 5, blind: 18 } },
  { name: "person-82ms", runs: 100, skill: { lead: 9, error: 8, blind: 10 } },
  { name: "bot-exact", runs: 100, skill: { lead: 7, error: 0, blind: 15 } },
  { name: "bot-8ms", runs: 100, skill: { lead: 7, error: 0, blind: 15, errors: BY_TURNS } },
  { name: "bot-14ms", runs: 100, skill: { lead: 7, error: 1, blind: 15 } },
  { name: "bot-24ms", runs: 100, skill: { lead: 7, error: 2, blind: 15 } },
  { name: "bot-search", runs: 30, skill: { lead: 7, error: 0, blind: 15 }, searches: true },
];
/** The thresholds were chosen with the seeds below this one. */
const FIRST_SEED = 10_000;
/** The searching bot tries these errors at each obstacle, and takes the one with which the run has the most points. */
const TRIED = [0, -3, -2, -1, 1, 2, 3, 4, 5];
const SEARCHED_OBSTACLES = 60;

interface LabelledRun {
  points: number;
  obstacles: number;
  /** Each answered obstacle: its kind, and the ticks from the press until the runner reached it. */
  answers: string[];
}

function play(rules: Rules, seed: number, skill: Skill): LabelledRun {
  const run = new Run(rules, BigInt(seed) * 7_919_000_003n, 0, "ranked");
  const bot = new Bot(rules, skill, seed * 31 + 7);
  const answers: string[] = [];
  while (!run.over) {
    run.step(bot.next());
    const kind = rules.answeredKind();
    if (kind > 0) answers.push(`${kind}:${rules.answeredTicks()}`);
  }
  return { points: run.score, obstacles: bot.obstacles, answers };
}

function search(rules: Rules, seed: number, skill: Skill): LabelledRun {
  const errors: number[] = [];
  let best = play(rules, seed, skill);
  while (errors.length < Math.min(best.obstacles, SEARCHED_OBSTACLES)) {
    const tried = TRIED.map((error) => ({
      error,
      run: play(rules, seed, { ...skill, errors: [...errors, error] }),
    }));
    const better = tried.reduce((a, b) => (b.run.points > a.run.points ? b : a));
    errors.push(better.error);
    best = better.run;
  }
  return best;
}

/** Returns a run of a kind of player as a line: the kind, the points, and the answers. */
export function labelledRun(rules: Rules, { name, skill, searches }: Kind, index: number): string {
  const run = (searches ? search : play)(rules, FIRST_SEED + index, skill);
  return [name, run.points, ...run.answers].join(" ");
}
