import { forecast } from "../src/forecast";
import { across, PITS, ROW, type State } from "../src/state";

/** Chooses a pit. `chance` draws random numbers, so that a game can be repeated. */
export type Bot = (state: State, chance: number) => number;

function draw(chance: number, limit: number): number {
  let mixed = Math.imul(chance ^ 0x5bd1e995, 0x27d4eb2d);
  mixed ^= mixed >>> 15;
  return (Math.imul(mixed, 0x85ebca6b) >>> 8) % limit;
}

export function playable({ pits }: State): number[] {
  return Array.from({ length: ROW }, (_, pit) => pit).filter((pit) => (pits[pit] ?? 0) > 0);
}

export const random: Bot = (state, chance) => {
  const moves = playable(state);
  return moves[draw(chance, moves.length)] ?? 0;
};

export const greedy: Bot = (state, chance) => {
  const moves = playable(state);
  const gains = moves.map((pit) => forecast(state.pits, pit)?.caught ?? 0);
  const best = moves.filter((_, index) => gains[index] === Math.max(...gains));
  return best[draw(chance, best.length)] ?? 0;
};

/** Plays as `usual`, but one move in `every` as `other`. */
const mixed =
  (usual: Bot, other: Bot, every: number): Bot =>
  (state, chance) =>
    (draw(chance, every) === 0 ? other : usual)(state, chance + 1);

/** Moves at random; takes the largest catch in one move of 30. */
export const beginner = mixed(random, greedy, 30);

/** Takes the largest catch; one move in three is random. */
export const casual = mixed(greedy, random, 3);

/** Looks two turns ahead: its catch, minus the best catch of the reply. */
export const good: Bot = (state, chance) => {
  const moves = playable(state);
  const values = moves.map((pit) => {
    const after = sown(state.pits, pit);
    // The computer's row, turned so that it reads as the bot's own.
    const turned = [...after.pits.slice(ROW), ...after.pits.slice(0, ROW)];
    let answer = 0;
    for (let reply = 0; reply < ROW; reply++) answer = Math.max(answer, forecast(turned, reply)?.caught ?? 0);
    return after.caught - answer;
  });
  const best = moves.filter((_, index) => values[index] === Math.max(...values));
  return best[draw(chance, best.length)] ?? 0;
};

function sown(from: readonly number[], start: number): { pits: number[]; caught: number } {
  const pits = [...from];
  const count = (pit: number): number => pits[pit] ?? 0;
  const ahead = forecast(from, start);
  let pit = start;
  for (let lap = 0; lap < (ahead?.laps ?? 0); lap++) {
    let hand = count(pit);
    pits[pit] = 0;
    for (; hand > 0; hand--) {
      pit = (pit + 1) % PITS;
      pits[pit] = count(pit) + 1;
    }
  }
  const caught = ahead?.caught ?? 0;
  if (caught > 0) {
    pits[pit] = 0;
    pits[across(pit)] = 0;
  }
  return { pits, caught };
}
