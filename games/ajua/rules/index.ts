// Ajua's rules, in the interface of games/README.md: integers only, no imports, the same for the same seed and moves.
// The variant is Endodoi (see rules page): two rows of eight, 64 seeds, sown in laps, caught across; first to 33 wins.
//
// Pits are numbered in the order of sowing: 0 to 7 are the player's, 8 to 15 the computer's, and pit p faces 15 - p.

import { at, choose, PITS, ROW, relay, SEEDS, workspace } from "./board";
import { Random } from "./random";

const WINS: i32 = SEEDS / 2 + 1;
/** Turns without a catch after which the game ends, so that seeds cannot go around for ever. */
const QUIET_TURNS: i32 = 24;
/** The player's moves after which the game ends. */
const MOST_MOVES: i32 = 60;
/** A win in fewer moves earns points for each move saved. */
const PAR: i32 = 30;
/** Inputs 8, 9 and 10 choose the opponent, by its strength, before the first move. */
const CHOICES: i32 = 3;

// Phases and results as the view reads them.
const CHOOSING = 0,
  PLAYING = 1,
  OVER = 2;
const WON = 1,
  LOST = 2,
  DRAWN = 3;
// Kinds of events: pit in bits 4 to 7, count in bits 8 to 15.
const PICK = 1,
  SOW = 2,
  CATCH = 3,
  TURN_ENDS = 4,
  COLLECT = 5;

/** The layout of state(): 12 numbers, 16 pits, then the events of the last step. 32 bits each. */
const HEAD: i32 = 12;
const MOST_EVENTS: i32 = 1200;
const view = memory.data((HEAD + PITS + MOST_EVENTS) * 4, 8);
const VERSION = 0,
  PHASE = 1,
  STRENGTH = 2,
  MOVES = 3,
  MINE = 4,
  THEIRS = 5,
  EVENTS = 6,
  RESULT = 7,
  SEED_POINTS = 8,
  LEAD_POINTS = 9,
  QUICK_POINTS = 10,
  MOST = 11;

let game: usize = workspace;
let random = new Random();
let phase: i32 = CHOOSING,
  strength: i32 = 0,
  moves: i32 = 0,
  quiet: i32 = 0,
  result: i32 = 0,
  events: i32 = 0;

export function abi(): i32 {
  return 1;
}
export function ticks_per_second(): i32 {
  return 0;
}
export function inputs(): i32 {
  return ROW + CHOICES;
}
export function state(): i32 {
  return <i32>view;
}

/** Level 0 lets the player choose the opponent as the first input; levels 1 to 3 set it. */
export function init(seed: i64, level: i32): void {
  random.seed(seed);
  moves = 0;
  quiet = 0;
  result = 0;
  events = 0;
  strength = level < 1 ? 0 : level > CHOICES ? CHOICES : level;
  phase = strength == 0 ? CHOOSING : PLAYING;
  open();
  publish();
}

/** Puts four seeds into each pit, then moves some within a row by the seed of the run, the same for both rows. */
function open(): void {
  for (let pit = 0; pit < PITS; pit++) store<u8>(game + pit, 4);
  store<u8>(game + PITS, 0);
  store<u8>(game + PITS + 1, 0);
  for (let moved = 0; moved < 6; moved++) {
    const from = random.below(ROW),
      to = random.below(ROW);
    if (at(game, from) < 2) continue;
    for (let row = 0; row < PITS; row += ROW) {
      store<u8>(game + from + row, <u8>(at(game, from + row) - 1));
      store<u8>(game + to + row, <u8>(at(game, to + row) + 1));
    }
  }
}

export function step(input: i32): i32 {
  if (phase == OVER) return 2;
  if (phase == CHOOSING) {
    if (input < ROW || input >= ROW + CHOICES) return 2;
    strength = input - ROW + 1;
    phase = PLAYING;
    events = 0;
    publish();
    return 0;
  }
  if (input < 0 || input >= ROW || at(game, input) == 0) return 2;
  events = 0;
  moves++;
  turn(input);
  if (phase == PLAYING) turn(choose(game, strength, random));
  publish();
  return phase == OVER ? 1 : 0;
}

/** Sows from a pit, and ends the game when the turn has decided it. */
function turn(pit: i32): void {
  const caught = relay(game, pit, record);
  quiet = caught > 0 ? 0 : quiet + 1;
  const side = pit / ROW;
  record(TURN_ENDS, side * ROW, caught);
  const mine = at(game, PITS),
    theirs = at(game, PITS + 1);
  if (mine >= WINS || theirs >= WINS) return end();
  // A side without seeds to sow ends the game: the other side takes the rest.
  const next = 1 - side;
  let left = 0;
  for (let at_ = next * ROW; at_ < next * ROW + ROW; at_++) left += at(game, at_);
  if (left == 0 || quiet >= QUIET_TURNS || (side == 1 && moves >= MOST_MOVES)) {
    collect(0);
    collect(1);
    end();
  }
}

/** Moves the seeds of a side's own row to the side. */
function collect(side: i32): void {
  for (let pit = side * ROW; pit < side * ROW + ROW; pit++) {
    const count = at(game, pit);
    if (count == 0) continue;
    store<u8>(game + pit, 0);
    store<u8>(game + PITS + side, <u8>(at(game, PITS + side) + count));
    record(COLLECT, pit, count);
  }
}

function end(): void {
  const lead = at(game, PITS) - at(game, PITS + 1);
  result = lead > 0 ? WON : lead < 0 ? LOST : DRAWN;
  phase = OVER;
}

/** Returns the points per seed: 10 against Kobe, 20 against Fisi, 30 against Sungura. */
function worth(): i32 {
  return strength * 10;
}
function seedPoints(): i32 {
  return at(game, PITS) * worth();
}
function leadPoints(): i32 {
  return result == WON ? (at(game, PITS) - at(game, PITS + 1)) * worth() : 0;
}
function quickPoints(): i32 {
  return result == WON && moves < PAR ? (PAR - moves) * worth() : 0;
}

export function score(): i32 {
  return seedPoints() + leadPoints() + quickPoints();
}

function record(kind: i32, pit: i32, count: i32): void {
  if (events >= MOST_EVENTS) return;
  store<i32>(view + ((HEAD + PITS + events) << 2), kind | (pit << 4) | (count << 8));
  events++;
}

function publish(): void {
  write(VERSION, 1);
  write(PHASE, phase);
  write(STRENGTH, strength);
  write(MOVES, moves);
  write(MINE, at(game, PITS));
  write(THEIRS, at(game, PITS + 1));
  write(EVENTS, events);
  write(RESULT, result);
  write(SEED_POINTS, seedPoints());
  write(LEAD_POINTS, leadPoints());
  write(QUICK_POINTS, quickPoints());

  for (let pit = 0; pit < PITS; pit++) write(HEAD + pit, at(game, pit));
}

function write(field: i32, value: i32): void {
  store<i32>(view + (field << 2), value);
}
