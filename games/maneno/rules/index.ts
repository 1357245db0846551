// Maneno's rules, by the ABI of games/README.md: 25 letters, 90 seconds, words by dragging through neighbours.
import { openDictionary } from "./dictionary";
import {
  appended,
  areNeighbours,
  CELLS,
  drawGrid,
  easyWord,
  FOUND,
  hidden,
  lengthOf,
  letterOf,
  letters,
  longestMissed,
  markFound,
  NEW,
  standing,
  trace,
  wordCount,
} from "./grid";
import { seedRandom } from "./random";

const TICKS_PER_SECOND: i32 = 60;
const SECONDS: i32 = 90;

// Inputs: 0 is nothing; 1 to 25 are the cell that the finger enters (the last cell but one takes a letter back); then these two.
const SUBMIT: i32 = 26;
const CLEAR: i32 = 27;
const INPUTS: i32 = 28;

const SHORTEST: i32 = 3;
const LONGEST: i32 = 12;

const CHAIN_TICKS: i32 = 6 * TICKS_PER_SECOND;
const CHAIN_MOST: i32 = 5;
const HIDDEN_BONUS: i32 = 30;

// The results of a submitted word.
const ACCEPTED: i32 = 1;
const TOO_SHORT: i32 = 2;
const NOT_A_WORD: i32 = 3;
const REPEATED: i32 = 4;

// The indices of the view's numbers, as in src/state.ts. The words are `length, letters (0 is A), cells` of 1 + 12 + 12 numbers.
const S_TICKS_LEFT: i32 = 0;
const S_SCORE: i32 = 1;
const S_FOUND: i32 = 2;
const S_EVENT: i32 = 3; // counts the submitted words
const S_RESULT: i32 = 4;
const S_POINTS: i32 = 5; // points of the last word, its chain and bonus included
const S_CHAIN: i32 = 6;
const S_CHAIN_LEFT: i32 = 7;
const S_STANDING: i32 = 8; // the letters drawn so far: 0 no word, 1 a new word, 2 a word that was found
const S_WORDS: i32 = 9; // number of words in the grid
const S_HIDDEN_FOUND: i32 = 10;
const S_PATH_LENGTH: i32 = 11;
const S_PATH: i32 = 12;
const S_GRID: i32 = S_PATH + CELLS;
const S_LAST: i32 = S_GRID + CELLS;
const WORD_NUMBERS: i32 = 1 + 2 * LONGEST;
const S_HIDDEN: i32 = S_LAST + WORD_NUMBERS; // the word's length from the start, the rest at the end of the run
const S_MISSED: i32 = S_HIDDEN + WORD_NUMBERS;
const S_EASY: i32 = S_MISSED + WORD_NUMBERS; // a short word, for a hint
const STATE: i32 = S_EASY + WORD_NUMBERS;

const view = new StaticArray<i32>(STATE);
const cells = new StaticArray<i32>(CELLS);
let path: u64 = 0; // the letters of the way, as a code
let used: u32 = 0;
let over: bool = true;

export function abi(): i32 {
  return 1;
}
export function ticks_per_second(): i32 {
  return TICKS_PER_SECOND;
}
export function inputs(): i32 {
  return INPUTS;
}
export function score(): i32 {
  return view[S_SCORE];
}
export function state(): i32 {
  return <i32>changetype<usize>(view);
}

/** Level 1 is English, any other Swahili. */
export function init(seed: i64, level: i32): void {
  const language = level == 1 ? 1 : 0;
  seedRandom(seed, language);
  openDictionary(language);
  drawGrid(language);
  memory.fill(changetype<usize>(view), 0, STATE * 4);
  for (let cell = 0; cell < CELLS; cell++) view[S_GRID + cell] = <i32>letters[cell];
  view[S_TICKS_LEFT] = SECONDS * TICKS_PER_SECOND;
  view[S_WORDS] = wordCount;
  view[S_HIDDEN] = lengthOf(hidden);
  put(S_EASY, easyWord());
  over = false;
  clear();
}

export function step(input: i32): i32 {
  if (over || !isAllowed(input)) return 2;
  if (view[S_CHAIN_LEFT] > 0 && --view[S_CHAIN_LEFT] == 0) view[S_CHAIN] = 0;
  if (input == SUBMIT) submit();
  else if (input == CLEAR) clear();
  else if (input > 0) enter(input - 1);
  if (--view[S_TICKS_LEFT] > 0) return 0;
  // A word that is being drawn when the time ends counts.
  if (standing(path) == NEW && view[S_PATH_LENGTH] >= SHORTEST) submit();
  end();
  return 1;
}

function isAllowed(input: i32): bool {
  if (input < 0 || input >= INPUTS) return false;
  const length = view[S_PATH_LENGTH];
  if (input == SUBMIT || input == CLEAR) return length > 0;
  if (input == 0 || length == 0) return true;
  const cell = input - 1;
  if (length > 1 && view[S_PATH + length - 2] == cell) return true;
  return length < LONGEST && !((used >> cell) & 1) && areNeighbours(cell, view[S_PATH + length - 1]);
}

function enter(cell: i32): void {
  const length = view[S_PATH_LENGTH];
  if (length > 1 && view[S_PATH + length - 2] == cell) {
    used &= ~(1 << view[S_PATH + length - 1]);
    path >>= 5;
    view[S_PATH_LENGTH] = length - 1;
  } else {
    view[S_PATH + length] = cell;
    view[S_PATH_LENGTH] = length + 1;
    used |= 1 << cell;
    path = appended(path, <i32>letters[cell]);
  }
  view[S_STANDING] = view[S_PATH_LENGTH] < SHORTEST ? 0 : standing(path);
}

function clear(): void {
  path = 0;
  used = 0;
  view[S_PATH_LENGTH] = 0;
  view[S_STANDING] = 0;
}

function submit(): void {
  const length = view[S_PATH_LENGTH];
  const known = standing(path);
  view[S_EVENT]++;
  view[S_POINTS] = 0;
  view[S_LAST] = length;
  for (let i = 0; i < length; i++) {
    view[S_LAST + 1 + i] = <i32>letters[view[S_PATH + i]];
    view[S_LAST + 1 + LONGEST + i] = view[S_PATH + i];
  }
  if (length < SHORTEST) view[S_RESULT] = TOO_SHORT;
  else if (known == FOUND) view[S_RESULT] = REPEATED;
  else if (known != NEW) view[S_RESULT] = NOT_A_WORD;
  else accept(length);
  clear();
}

function accept(length: i32): void {
  markFound(path);
  view[S_RESULT] = ACCEPTED;
  view[S_FOUND]++;
  // Words within six seconds of each other are a chain: each adds one point more, up to five.
  view[S_CHAIN]++;
  view[S_CHAIN_LEFT] = CHAIN_TICKS;
  let points = worth(length) + min(view[S_CHAIN] - 1, CHAIN_MOST);
  if (path == hidden) {
    points += HIDDEN_BONUS;
    view[S_HIDDEN_FOUND] = 1;
  }
  view[S_POINTS] = points;
  view[S_SCORE] += points;
}

function worth(length: i32): i32 {
  if (length == 3) return 3;
  if (length == 4) return 6;
  if (length == 5) return 12;
  if (length == 6) return 20;
  return 20 + 12 * (length - 6);
}

function end(): void {
  over = true;
  clear();
  view[S_CHAIN] = 0;
  put(S_HIDDEN, hidden);
  put(S_MISSED, longestMissed());
}

function put(at: i32, code: u64): void {
  const length = lengthOf(code);
  view[at] = length;
  if (length == 0) return;
  let start = 0;
  while (start < CELLS && !trace(code, 0, start, 1 << start, cells)) start++;
  for (let i = 0; i < length; i++) {
    view[at + 1 + i] = letterOf(code, i);
    view[at + 1 + LONGEST + i] = cells[i];
  }
}
