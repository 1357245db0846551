/** Reads what the rules module exports in `state()`: rules/index.ts names the fields. */

export const PITS = 16;
export const ROW = 8;
export const SEEDS = 64;
/** Seeds that win: more than half. */
export const GOAL = 33;
/** Inputs from this value on choose the opponent, when the run's level does not set it. */
export const FIRST_CHOICE = 8;

export const Phase = { Choosing: 0, Playing: 1, Over: 2 } as const;
export const Outcome = { None: 0, Won: 1, Lost: 2, Drawn: 3 } as const;
export const EventKind = { Pick: 1, Sow: 2, Catch: 3, TurnEnds: 4, Collect: 5 } as const;

export type Side = 0 | 1;

/** One event of a step: a pit was emptied, got a seed, made a catch, or was cleared at the end. */
export interface GameEvent {
  kind: number;
  pit: number;
  count: number;
}

export interface State {
  phase: number;
  /** The strength of the opponent: 1 Kobe, 2 Fisi, 3 Sungura; 0 until one is chosen. */
  strength: number;
  moves: number;
  caught: [number, number];
  outcome: number;
  seedPoints: number;
  leadPoints: number;
  quickPoints: number;
  pits: number[];
  events: GameEvent[];
}

const HEAD = 12;
const MOST_EVENTS = 1200;

export function readState(memory: WebAssembly.Memory, address: number): State {
  const words = new Int32Array(memory.buffer, address, HEAD + PITS + MOST_EVENTS);
  const word = (index: number): number => words[index] ?? 0;
  const events: GameEvent[] = [];
  for (let index = 0; index < word(6); index++) {
    const packed = word(HEAD + PITS + index);
    events.push({ kind: packed & 15, pit: (packed >> 4) & 15, count: packed >> 8 });
  }
  return {
    phase: word(1),
    strength: word(2),
    moves: word(3),
    caught: [word(4), word(5)],
    outcome: word(7),
    seedPoints: word(8),
    leadPoints: word(9),
    quickPoints: word(10),
    pits: Array.from(words.subarray(HEAD, HEAD + PITS)),
    events,
  };
}

/** The side whose row a pit is in: 0 the player's, 1 the computer's. */
export function sideOf(pit: number): Side {
  return pit < ROW ? 0 : 1;
}

export function across(pit: number): number {
  return PITS - 1 - pit;
}
