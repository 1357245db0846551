import type { Rules } from "@sdk/types";

/** The results of a submitted word. */
export const Verdict = { Accepted: 1, TooShort: 2, NotAWord: 3, Repeated: 4 } as const;

/** The meaning of the letters drawn so far. */
export const Standing = { Nothing: 0, Word: 1, FoundBefore: 2 } as const;

/** Inputs: 0 is nothing, 1 to 25 enter a cell, then these. */
export const Input = { Submit: 26, Clear: 27 } as const;

export const SIDE = 5;
export const CELLS = 25;
export const SHORTEST = 3;
export const LONGEST = 12;
export const TICKS_PER_SECOND = 60;
export const RUN_TICKS = 90 * TICKS_PER_SECOND;
export const CHAIN_TICKS = 6 * TICKS_PER_SECOND;

// The index of each number; rules/index.ts has the same names.
const TICKS_LEFT = 0;
const SCORE = 1;
const FOUND = 2;
const EVENT = 3;
const RESULT = 4;
const POINTS = 5;
const CHAIN = 6;
const CHAIN_LEFT = 7;
const STANDING = 8;
const WORDS = 9;
const HIDDEN_FOUND = 10;
const PATH_LENGTH = 11;
const PATH = 12;
const GRID = PATH + CELLS;
const LAST = GRID + CELLS;
const WORD_NUMBERS = 1 + 2 * LONGEST;
const HIDDEN = LAST + WORD_NUMBERS;
const MISSED = HIDDEN + WORD_NUMBERS;
const EASY = MISSED + WORD_NUMBERS;
const NUMBERS = EASY + WORD_NUMBERS;

export interface Word {
  text: string;
  cells: number[];
}

/** Reads the state that the rules export. */
export class State {
  private readonly numbers: Int32Array;

  constructor(rules: Rules) {
    this.numbers = new Int32Array(rules.memory.buffer, rules.state(), NUMBERS);
  }

  private at(index: number): number {
    return this.numbers[index] ?? 0;
  }

  get ticksLeft(): number {
    return this.at(TICKS_LEFT);
  }
  get score(): number {
    return this.at(SCORE);
  }
  get found(): number {
    return this.at(FOUND);
  }
  /** Counts the submitted words. */
  get event(): number {
    return this.at(EVENT);
  }
  get verdict(): number {
    return this.at(RESULT);
  }
  get points(): number {
    return this.at(POINTS);
  }
  get chain(): number {
    return this.at(CHAIN);
  }
  get chainLeft(): number {
    return this.at(CHAIN_LEFT);
  }
  get standing(): number {
    return this.at(STANDING);
  }
  get words(): number {
    return this.at(WORDS);
  }
  get hiddenFound(): boolean {
    return this.at(HIDDEN_FOUND) === 1;
  }
  get hiddenLength(): number {
    return this.at(HIDDEN);
  }
  get path(): number[] {
    return Array.from(this.numbers.subarray(PATH, PATH + this.at(PATH_LENGTH)));
  }
  get grid(): string[] {
    return Array.from(this.numbers.subarray(GRID, GRID + CELLS), letter);
  }
  get last(): Word {
    return this.word(LAST);
  }
  /** The word that was hidden in the grid; known at the end of the run. */
  get hidden(): Word {
    return this.word(HIDDEN);
  }
  /** The longest word that was not found, at the end of the run; empty when all were found. */
  get missed(): Word {
    return this.word(MISSED);
  }

  /** A short word of the grid, for a newcomer's first hint. */
  get easy(): Word {
    return this.word(EASY);
  }

  private word(at: number): Word {
    const length = this.at(at);
    const letters = this.numbers.subarray(at + 1, at + 1 + length);
    const cells = this.numbers.subarray(at + 1 + LONGEST, at + 1 + LONGEST + length);
    return { text: Array.from(letters, letter).join(""), cells: Array.from(cells) };
  }
}

function letter(number: number): string {
  return String.fromCharCode(65 + number);
}
