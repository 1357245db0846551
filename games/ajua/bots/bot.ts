import { Run } from "@sdk/run";
import { below } from "../../tools/bots/chance";
import type { Play } from "../../tools/bots/types";
import { FIRST_CHOICE, Phase, readState } from "../src/state";
import { beginner, casual, good } from "./skills";

const BOTS = [beginner, casual, good] as const;
const OPPONENTS = 3;
// Seconds per move of a person who taps at once. The seeds take longer to sow.
const QUICKEST_MOVE = 0.5;
const MOVE_SPREAD = 0.8;

export const play: Play = async ({ rules, seed, level, skill, chance }) => {
  const run = new Run(rules, seed, level, "ranked");
  let seconds = 0;
  while (!run.over) {
    const state = readState(rules.memory, rules.state());
    if (state.phase === Phase.Choosing) {
      // A skilled bot chooses stronger opponents more often, but not always.
      const opponent = Math.min(below(OPPONENTS, chance), Math.round(skill * OPPONENTS));
      run.step(FIRST_CHOICE + opponent);
    } else {
      const bot = BOTS[Math.min(Math.floor(skill * BOTS.length), BOTS.length - 1)] ?? beginner;
      run.step(bot(state, below(2 ** 31, chance)));
    }
    seconds += QUICKEST_MOVE + MOVE_SPREAD * chance();
  }
  return { inputs: run.inputs(), points: run.score, seconds };
};
