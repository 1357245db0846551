import { beforeAll, describe, expect, it } from "vitest";
import { Run, replay } from "../../sdk/run";
import { loadGameRules } from "../../sdk/test/load";
import type { Rules } from "../../sdk/types";
import { type Bot, casual, good, greedy, random } from "../bots/skills";
import { forecast } from "../src/forecast";
import { across, EventKind, Outcome, Phase, PITS, ROW, readState, SEEDS, type State } from "../src/state";

let rules: Rules;
beforeAll(async () => {
  rules = await loadGameRules("ajua");
});

const read = (): State => readState(rules.memory, rules.state());
const total = ({ pits, caught }: State): number =>
  pits.reduce((sum, count) => sum + count, caught[0] + caught[1]);

/** Plays a whole game, and checks every state on the way. */
function play(
  seed: bigint,
  level: number,
  bot: Bot,
  look: (before: State, after: State, move: number) => void = () => {},
): Run {
  const run = new Run(rules, seed, level, "practice");
  for (let move = 0; !run.over; move++) {
    const before = read();
    const pit = bot(before, Number(seed) * 31 + move);
    expect(run.step(pit)).not.toBe(2);
    look(before, read(), pit);
  }
  return run;
}

/** Applies the events of a step to the pits, without using the rules. */
function apply(before: State, after: State): { pits: number[]; caught: [number, number] } {
  const pits = [...before.pits];
  const caught: [number, number] = [...before.caught];
  const add = (pit: number, count: number): void => {
    pits[pit] = (pits[pit] ?? 0) + count;
  };
  for (const { kind, pit, count } of after.events) {
    if (kind === EventKind.Pick) {
      expect(pits[pit]).toBe(count);
      pits[pit] = 0;
    } else if (kind === EventKind.Sow) add(pit, 1);
    else if (kind === EventKind.Catch) {
      expect((pits[pit] ?? 0) + (pits[across(pit)] ?? 0)).toBe(count);
      pits[pit] = 0;
      pits[across(pit)] = 0;
      caught[pit < ROW ? 0 : 1] += count;
    } else if (kind === EventKind.Collect) {
      expect(pits[pit]).toBe(count);
      pits[pit] = 0;
      caught[pit < ROW ? 0 : 1] += count;
    }
  }
  return { pits, caught };
}

describe("the opening", () => {
  it("has 64 seeds, and both rows are alike", () => {
    for (let seed = 1n; seed <= 50n; seed++) {
      rules.init(seed, 1);
      const { pits, phase } = read();
      expect(pits.reduce((sum, count) => sum + count, 0)).toBe(SEEDS);
      expect(pits.slice(0, ROW)).toEqual(pits.slice(ROW));
      expect(Math.min(...pits)).toBeGreaterThan(0);
      expect(phase).toBe(Phase.Playing);
    }
  });

  it("differs from seed to seed, and is the same for the same seed", () => {
    const openings = new Set<string>();
    for (let seed = 1n; seed <= 50n; seed++) {
      rules.init(seed, 1);
      const first = read().pits.join();
      rules.init(seed, 1);
      expect(read().pits.join()).toBe(first);
      openings.add(first);
    }
    expect(openings.size).toBeGreaterThan(45);
  });

  it("asks for the opponent when the level leaves it open", () => {
    rules.init(7n, 0);
    expect(read().phase).toBe(Phase.Choosing);
    expect(rules.step(3)).toBe(2);
    expect(rules.step(10)).toBe(0);
    expect(read()).toMatchObject({ phase: Phase.Playing, strength: 3, moves: 0 });
    expect(rules.step(8)).toBe(2);
  });

  it("takes the opponent from the level else", () => {
    rules.init(7n, 2);
    expect(read().strength).toBe(2);
    rules.init(7n, 99);
    expect(read().strength).toBe(3);
  });
});

describe("a move", () => {
  it("may not start from an empty pit, another's pit, or no pit at all", () => {
    const run = new Run(rules, 3n, 1, "practice");
    run.step(0);
    const { pits } = read();
    for (const pit of [-1, 8, 11, 15, 1000, ...[...Array(ROW).keys()].filter((index) => pits[index] === 0)]) {
      expect(rules.step(pit)).toBe(2);
      expect(read().pits).toEqual(pits);
    }
  });

  it("sows one seed a pit in order, and goes on from a pit with seeds", () => {
    for (let seed = 1n; seed <= 20n; seed++) {
      play(seed, 2, random, (_before, { events }) => {
        let hand = 0;
        let last = 0;
        for (const { kind, pit, count } of events) {
          if (kind === EventKind.Pick) {
            expect(hand).toBe(0);
            hand = count;
            last = pit;
          } else if (kind === EventKind.Sow) {
            expect(pit).toBe((last + 1) % PITS);
            last = pit;
            hand--;
          }
        }
        expect(hand).toBe(0);
      });
    }
  });

  it("records in its events all that happened to the pits", () => {
    for (let seed = 1n; seed <= 40n; seed++) {
      play(seed, 1 + (Number(seed) % 3), casual, (before, after) => {
        expect(apply(before, after)).toEqual({ pits: after.pits, caught: after.caught });
        expect(total(after)).toBe(SEEDS);
      });
    }
  });

  it("falls and catches as the forecast under the finger says", () => {
    for (let seed = 1n; seed <= 60n; seed++) {
      play(seed, 1, random, (before, after, move) => {
        const ahead = forecast(before.pits, move);
        const end = after.events.findIndex(({ kind }) => kind === EventKind.TurnEnds);
        const mine = after.events.slice(0, end);
        const caught = mine.find(({ kind }) => kind === EventKind.Catch);
        const sown = mine.filter(({ kind }) => kind === EventKind.Sow);
        expect(ahead?.last).toBe(sown[sown.length - 1]?.pit);
        expect(ahead?.caught).toBe(caught?.count ?? 0);
        expect(ahead?.laps).toBe(mine.filter(({ kind }) => kind === EventKind.Pick).length);
      });
    }
  });

  it("catches only from an empty pit of one's own, with seeds across", () => {
    let catches = 0;
    for (let seed = 1n; seed <= 40n; seed++) {
      play(seed, 3, greedy, (_before, { events }) => {
        events.forEach(({ kind, pit, count }, index) => {
          if (kind !== EventKind.Catch) return;
          catches++;
          expect(events[index - 1]).toMatchObject({ kind: EventKind.Sow, pit });
          expect(count).toBeGreaterThan(1);
        });
      });
    }
    expect(catches).toBeGreaterThan(200);
  });
});

describe("the end", () => {
  it("always comes, with every seed counted and the winner named", () => {
    for (let seed = 1n; seed <= 60n; seed++) {
      const run = play(seed, 1 + (Number(seed) % 3), random);
      const state = read();
      const [mine, theirs] = state.caught;
      expect(state.moves).toBeLessThanOrEqual(60);
      expect(run.step(0)).toBe(2);
      expect(total(state)).toBe(SEEDS);
      const outcome = mine > theirs ? Outcome.Won : mine < theirs ? Outcome.Lost : Outcome.Drawn;
      expect(state.outcome).toBe(outcome);
    }
  });

  it("comes as soon as one has 33 seeds", () => {
    for (let seed = 1n; seed <= 40n; seed++) {
      play(seed, 2, greedy, (before, after) => {
        expect(Math.max(...before.caught)).toBeLessThan(33);
        if (Math.max(...after.caught) >= 33) expect(after.phase).toBe(Phase.Over);
      });
    }
  });

  it("pays 10, 20 or 30 points a seed, the lead of a win, and the moves saved", () => {
    for (let seed = 1n; seed <= 30n; seed++) {
      for (const level of [1, 2, 3]) {
        const run = play(seed, level, greedy);
        const { caught, moves, outcome, seedPoints, leadPoints, quickPoints } = read();
        const won = outcome === Outcome.Won;
        expect(seedPoints).toBe(caught[0] * level * 10);
        expect(leadPoints).toBe(won ? (caught[0] - caught[1]) * level * 10 : 0);
        expect(quickPoints).toBe(won ? Math.max(0, 30 - moves) * level * 10 : 0);
        expect(run.score).toBe(seedPoints + leadPoints + quickPoints);
        expect(run.score).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describe("runs", () => {
  it("give the same score when the inputs of 200 games by bots of varied skill are replayed", () => {
    const bots = [random, casual, greedy, good];
    for (let game = 0; game < 200; game++) {
      const seed = BigInt(game) * 0x9e3779b97f4a7c15n;
      const level = 1 + (game % 3);
      const run = play(BigInt.asIntN(64, seed), level, bots[game % bots.length] ?? random);
      const { score } = run;
      const again = replay(rules, BigInt.asIntN(64, seed), level, run.inputs());
      expect(again.over).toBe(true);
      expect(again.score).toBe(score);
    }
  });
});
