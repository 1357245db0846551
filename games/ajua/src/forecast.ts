import { across, PITS, ROW, sideOf } from "./state";

/** Laps after which a turn ends, as in the rules. */
const MOST_LAPS = 12;

/** The effect of a move: the way of the seeds, where the last one falls, and what it catches. */
export interface Forecast {
  pit: number;
  last: number;
  caught: number;
  laps: number;
  /** Pits in which a lap ended: the last seed fell among others, and they were sown on. */
  turns: number[];
}

/** Sows on a copy of the pits. A test compares it with the rules module. */
export function forecast(pits: readonly number[], from: number): Forecast | undefined {
  const board = [...pits];
  const count = (pit: number): number => board[pit] ?? 0;
  if (from < 0 || from >= ROW || count(from) === 0) return undefined;
  const turns: number[] = [];
  let pit = from;
  for (let laps = 1; ; laps++) {
    let hand = count(pit);
    board[pit] = 0;
    for (; hand > 0; hand--) {
      pit = (pit + 1) % PITS;
      board[pit] = count(pit) + 1;
    }
    const isEmpty = count(pit) === 1;
    const facing = count(across(pit));
    if (isEmpty && sideOf(pit) === 0 && facing > 0)
      return { pit: from, last: pit, caught: facing + 1, laps, turns };
    if (isEmpty || laps === MOST_LAPS) return { pit: from, last: pit, caught: 0, laps, turns };
    turns.push(pit);
  }
}

/** Returns the move that catches most now, to compare the player's move with. */
export function bestCatch(pits: readonly number[]): Forecast | undefined {
  let best: Forecast | undefined;
  for (let pit = 0; pit < ROW; pit++) {
    const move = forecast(pits, pit);
    if (move && (!best || move.caught > best.caught)) best = move;
  }
  return best;
}
