/**
 * Ngoma, the smallest game: a ring closes on a drum; press when it meets the rim. Misses cost a life, three lives are a run.
 * Copy this folder, give it a name of its own, and change what you like: README.md says what the shell expects.
 */

// The state that the view reads, as i32 words.
const words = new StaticArray<i32>(8);
const TICK: i32 = 0;
/** Ticks until the ring meets the rim; below 0 the ring has passed it. */
const LEFT: i32 = 1;
/** Ticks that this ring takes in total. */
const SPAN: i32 = 2;
const LIVES: i32 = 3;
/** The event of this tick: 0 nothing, 1 miss, 2 good, 3 perfect. */
const EVENT: i32 = 4;
const STREAK: i32 = 5;

const WINDOW: i32 = 7;
const PERFECT: i32 = 2;
const LAST_TICK: i32 = 60 * 90;

let random32: u32 = 1;
let points: i32 = 0;
let over: bool = false;

function random(below: i32): i32 {
  random32 ^= random32 << 13;
  random32 ^= random32 >> 17;
  random32 ^= random32 << 5;
  return <i32>(random32 % <u32>below);
}

/** Starts the next ring: shorter as time goes on, never the same twice. */
function ring(): void {
  const shorter = words[TICK] / 120;
  words[SPAN] = (shorter > 40 ? 40 : 80 - shorter) + random(24);
  words[LEFT] = words[SPAN];
}

function miss(): void {
  words[EVENT] = 1;
  words[LIVES]--;
  words[STREAK] = 0;
  ring();
}

export function abi(): i32 {
  return 1;
}

export function ticks_per_second(): i32 {
  return 60;
}

/** 0 nothing, 1 press. */
export function inputs(): i32 {
  return 2;
}

export function init(seed: i64, level: i32): void {
  random32 = <u32>(seed ^ (seed >> 32)) | 1;
  for (let index = 0; index < words.length; index++) words[index] = 0;
  points = 0;
  over = false;
  words[LIVES] = 3;
  ring();
}

export function step(input: i32): i32 {
  if (over || input < 0 || input > 1) return 2;
  words[TICK]++;
  words[LEFT]--;
  words[EVENT] = 0;
  if (input == 1) {
    const off = words[LEFT] < 0 ? -words[LEFT] : words[LEFT];
    if (off > WINDOW) miss();
    else {
      words[EVENT] = off <= PERFECT ? 3 : 2;
      words[STREAK]++;
      const streak = words[STREAK] > 10 ? 10 : words[STREAK];
      points += (off <= PERFECT ? 10 : 5) + streak;
      ring();
    }
  } else if (words[LEFT] < -WINDOW) miss();
  over = words[LIVES] == 0 || words[TICK] >= LAST_TICK;
  return over ? 1 : 0;
}

export function score(): i32 {
  return points;
}

export function state(): i32 {
  return <i32>changetype<usize>(words);
}
