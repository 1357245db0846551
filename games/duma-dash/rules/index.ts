/**
 * Duma Dash: a cheetah runs to the right, faster and faster, jumps, jumps again in the air, and slides. Lengths are units (a screen is
 * about 420 wide); positions and speeds of the runner are 1/256 of a unit, so that all are integers. A run ends at the third hit, or after
 * three minutes.
 */

// ── Layout of the state: i32 words that the view reads ──
const HEADER: i32 = 20;
const OBSTACLES: i32 = 10;
const OBSTACLE_WORDS: i32 = 6;
const MANGOES: i32 = 32;
const MANGO_WORDS: i32 = 3;
const words = new StaticArray<i32>(HEADER + OBSTACLES * OBSTACLE_WORDS + MANGOES * MANGO_WORDS);

// Header words.
const TICK: i32 = 0;
/** Distance that the runner has covered, in 1/256 units. */
const DISTANCE: i32 = 1;
/** Height of the feet above the ground, in 1/256 units. */
const Y: i32 = 2;
const VY: i32 = 3;
const SPEED: i32 = 4;
/** Remaining ticks of the slide. */
const SLIDE: i32 = 5;
const LIVES: i32 = 6;
/** Remaining ticks in which nothing hits again. */
const SAFE: i32 = 7;
const SCORE: i32 = 8;
/** Near misses in a row without a hit. */
const CHAIN: i32 = 9;
/** The events of this tick: bits of the EVENT_ constants. */
const EVENTS: i32 = 10;
/** Points of the last near miss. */
const MISS_POINTS: i32 = 11;
/** Jumps since the feet left the ground: 0, 1 or 2. */
const JUMPS: i32 = 12;
const MANGO_COUNT: i32 = 13;
/** Index of the obstacle of this tick's hit or near miss. */
const EVENT_AT: i32 = 14;
const OBSTACLE_SLOTS: i32 = 15;
const MANGO_SLOTS: i32 = 16;

const EVENT_JUMP: i32 = 1;
const EVENT_DOUBLE: i32 = 2;
const EVENT_LAND: i32 = 4;
const EVENT_SLIDE: i32 = 8;
const EVENT_HIT: i32 = 16;
const EVENT_MISS: i32 = 32;
const EVENT_MANGO: i32 = 64;

// Words of an obstacle. Kind 0 is an empty slot.
const KIND: i32 = 0;
const X: i32 = 1;
const WIDTH: i32 = 2;
/** Lower and upper edge, above the ground. */
const LOW: i32 = 3;
const HIGH: i32 = 4;
/** Smallest distance to the runner while passing; -1 once it has been hit or counted. */
const CLEARANCE: i32 = 5;

const MOUND: i32 = 1;
const TALL_MOUND: i32 = 2;
const LOG: i32 = 3;
const NESTS: i32 = 4;
const BIRD: i32 = 5;
const WATER: i32 = 6;

// ── Tuning ──
const LAST_TICK: i32 = 10800;
const FIRST_SPEED: i32 = 1010;
const TICKS_PER_FASTER: i32 = 6;
const GRAVITY: i32 = 146;
const JUMP: i32 = 2860;
const SECOND_JUMP: i32 = 2560;
const DROP: i32 = -3400;
const SLIDE_TICKS: i32 = 40;
/** A jump that is pressed at most so many ticks before landing still counts. */
const BUFFER_TICKS: i32 = 8;
const SAFE_TICKS: i32 = 80;
/** The runner's box: from 20 behind to 24 ahead of its place, 58 high, 28 in a slide. */
const BACK: i32 = 20;
const FRONT: i32 = 24;
const TALL: i32 = 58;
const FLAT: i32 = 28;
const NEAR: i32 = 15;
/** A slide that began so many ticks before the obstacle is a near miss. */
const LATE_SLIDE: i32 = 13;
const AHEAD: i32 = 760;
const BIRD_SPEED: i32 = 300;
const UNITS_PER_POINT: i32 = 60;
const MANGO_POINTS: i32 = 5;

let random64: u64 = 1;
let nextX: i32 = 0;
let buffered: i32 = 0;
let slideStarted: i32 = 0;
let bonus: i32 = 0;
let baseSpeed: i32 = FIRST_SPEED;
let over: bool = false;
let last: i32 = 0;
/** For each obstacle ahead, the tick of the last press while it was the next one; 0 without one. */
const pressedAt = new StaticArray<i32>(OBSTACLES);
let answeredKind: i32 = 0;
let answeredTicks: i32 = 0;

function word(index: i32): i32 {
  return unchecked(words[index]);
}

function put(index: i32, value: i32): void {
  unchecked((words[index] = value));
}

/** A number from 0 to `below`, less one (xorshift64*). */
function random(below: i32): i32 {
  random64 ^= random64 >> 12;
  random64 ^= random64 << 25;
  random64 ^= random64 >> 27;
  const bits = <u32>((random64 * 2685821657736338717) >> 33);
  return <i32>(bits % <u32>below);
}

export function abi(): i32 {
  return 2;
}

/** A piece lasts five seconds. */
export function piece_steps(): i32 {
  return 300;
}

export function ticks_per_second(): i32 {
  return 60;
}

/** 0 nothing, 1 jump, 2 slide. */
export function inputs(): i32 {
  return 3;
}

/** The kind of the obstacle that the runner reached in the last step, if a press answered it; 0 otherwise. */
export function answered_kind(): i32 {
  return answeredKind;
}

/** How many ticks before the runner reached that obstacle the press came. */
export function answered_ticks(): i32 {
  return answeredTicks;
}

/** Draws what the steps of the next piece place from its seed. */
export function feed(seed: i64): void {
  random64 = <u64>seed * 0x9e3779b97f4a7c15 + 0xd1b54a32d192ed03;
  if (random64 == 0) random64 = 1;
  for (let index = 0; index < 8; index++) random(2);
}

export function init(seed: i64, level: i32): void {
  for (let index = 0; index < words.length; index++) put(index, 0);
  feed(seed);
  const faster = level < 0 ? 0 : level > 4 ? 4 : level;
  baseSpeed = FIRST_SPEED + faster * 160;
  nextX = 560;
  buffered = 0;
  slideStarted = 0;
  bonus = 0;
  over = false;
  last = 0;
  answeredKind = 0;
  answeredTicks = 0;
  for (let slot = 0; slot < OBSTACLES; slot++) pressedAt[slot] = 0;
  put(SPEED, baseSpeed);
  put(LIVES, 3);
  put(OBSTACLE_SLOTS, OBSTACLES);
  put(MANGO_SLOTS, MANGOES);
  fill();
}

export function score(): i32 {
  return word(SCORE);
}

export function state(): i32 {
  return <i32>changetype<usize>(words);
}

export function step(input: i32): i32 {
  if (over || input < 0 || input > 2) return 2;
  put(EVENTS, 0);
  answeredKind = 0;
  put(TICK, word(TICK) + 1);
  move(input);
  fill();
  meet();
  collect();
  put(SCORE, word(DISTANCE) / (UNITS_PER_POINT * 256) + bonus);
  over = word(LIVES) == 0 || word(TICK) >= LAST_TICK;
  return over ? 1 : 0;
}

function happened(event: i32): void {
  put(EVENTS, word(EVENTS) | event);
}

function jump(velocity: i32, event: i32): void {
  put(VY, velocity);
  put(SLIDE, 0);
  put(JUMPS, word(JUMPS) + 1);
  buffered = 0;
  happened(event);
}

function slide(): void {
  put(SLIDE, SLIDE_TICKS);
  slideStarted = word(TICK);
  happened(EVENT_SLIDE);
}

/** Keeps the time of a press for the obstacle that is next. */
function press(): void {
  const front = (word(DISTANCE) >> 8) + FRONT;
  let next = -1;
  let nearest = i32.MAX_VALUE;
  for (let slot = 0; slot < OBSTACLES; slot++) {
    const at = HEADER + slot * OBSTACLE_WORDS;
    const left = word(at + X) >> 8;
    if (word(at + KIND) == 0 || left < front || left >= nearest) continue;
    nearest = left;
    next = slot;
  }
  if (next >= 0) pressedAt[next] = word(TICK);
}

function move(input: i32): void {
  if (word(SAFE) > 0) put(SAFE, word(SAFE) - 1);
  if (buffered > 0) buffered--;
  let speed = baseSpeed + word(TICK) / TICKS_PER_FASTER;
  // After a hit the runner picks up speed again.
  const stun = word(SAFE) - (SAFE_TICKS - 48);
  if (stun > 0) speed = (speed * (96 - stun)) / 96;
  put(SPEED, speed);
  put(DISTANCE, word(DISTANCE) + speed);

  const inAir = word(JUMPS) > 0;
  if (input != 0) press();
  if (input == 1) {
    if (!inAir) jump(JUMP, EVENT_JUMP);
    else if (word(JUMPS) == 1) jump(SECOND_JUMP, EVENT_DOUBLE);
    else buffered = BUFFER_TICKS;
  } else if (input == 2) {
    if (inAir) {
      put(VY, DROP);
      // The slide begins at the landing.
      put(SLIDE, SLIDE_TICKS);
    } else slide();
  }

  if (word(JUMPS) > 0) {
    put(VY, word(VY) - GRAVITY);
    put(Y, word(Y) + word(VY));
    if (word(Y) <= 0) {
      put(Y, 0);
      put(VY, 0);
      put(JUMPS, 0);
      happened(EVENT_LAND);
      if (word(SLIDE) > 0) slide();
      else if (buffered > 0) jump(JUMP, EVENT_JUMP);
    }
  } else if (word(SLIDE) > 0) put(SLIDE, word(SLIDE) - 1);
}

/** Makes the course ahead, and frees what lies behind. */
function fill(): void {
  const here = word(DISTANCE) >> 8;
  for (let slot = 0; slot < OBSTACLES; slot++) {
    const at = HEADER + slot * OBSTACLE_WORDS;
    if (word(at + KIND) == BIRD && (word(at + X) >> 8) - here < AHEAD) put(at + X, word(at + X) - BIRD_SPEED);
    if (word(at + KIND) != 0 && (word(at + X) >> 8) + word(at + WIDTH) < here - 240) put(at + KIND, 0);
  }
  if (nextX < here + AHEAD) place();
}

/** Adds an obstacle at `x`; without a free slot it is left out. */
function add(kind: i32, x: i32, width: i32, low: i32, high: i32): void {
  for (let slot = 0; slot < OBSTACLES; slot++) {
    const at = HEADER + slot * OBSTACLE_WORDS;
    if (word(at + KIND) != 0) continue;
    put(at + KIND, kind);
    put(at + X, x << 8);
    put(at + WIDTH, width);
    put(at + LOW, low);
    put(at + HIGH, high);
    put(at + CLEARANCE, 1000);
    pressedAt[slot] = 0;
    return;
  }
}

function addMango(x: i32, y: i32): void {
  const here = word(DISTANCE) >> 8;
  for (let slot = 0; slot < MANGOES; slot++) {
    const at = HEADER + OBSTACLES * OBSTACLE_WORDS + slot * MANGO_WORDS;
    if (word(at) != 0 && word(at + 1) > here - 200) continue;
    put(at, 1);
    put(at + 1, x);
    put(at + 2, y);
    return;
  }
}

/** Adds mangoes along the arc of a jump over the middle of an obstacle. */
function mangoArc(middle: i32, count: i32, pace: i32): void {
  for (let index = 0; index < count; index++) {
    const offset = index * 2 - (count - 1);
    // The height of a jump at that time from its top, minus a little.
    const ticks = offset * 3;
    addMango(middle + ((ticks * pace) >> 8), 118 - ((ticks * ticks * GRAVITY) >> 9));
  }
}

function mangoLine(x: i32, y: i32, count: i32): void {
  for (let index = 0; index < count; index++) addMango(x + index * 34, y);
}

/** Places the next obstacle at `nextX` and advances `nextX` by a gap that is fair at the speed of that moment. */
function place(): void {
  const tick = word(TICK);
  const pace = baseSpeed + tick / TICKS_PER_FASTER;
  let kind = MOUND;
  const dice = random(100);
  if (tick < 420) kind = tick < 180 ? MOUND : dice < 45 ? NESTS : dice < 80 ? MOUND : LOG;
  else if (tick < 1200)
    kind = dice < 28 ? MOUND : dice < 50 ? NESTS : dice < 68 ? LOG : dice < 86 ? WATER : TALL_MOUND;
  else
    kind =
      dice < 18
        ? MOUND
        : dice < 36
          ? NESTS
          : dice < 50
            ? LOG
            : dice < 66
              ? WATER
              : dice < 82
                ? TALL_MOUND
                : BIRD;
  // Avoid three of a kind in a row.
  if (kind == last && random(2) == 0) kind = kind == NESTS ? LOG : NESTS;
  last = kind;

  const x = nextX;
  let width = 34;
  if (kind == MOUND) {
    width = 32 + random(8);
    add(MOUND, x, width, 0, 36 + random(10));
    // From 30 s on, two mounds may stand close together: one long jump.
    if (tick > 1800 && random(3) == 0) {
      const gap = (pace * 5) >> 8;
      add(MOUND, x + width + gap, width, 0, 40);
      width += gap + width;
    }
    if (random(2) == 0) mangoArc(x + width / 2, 5, pace);
  } else if (kind == TALL_MOUND) {
    width = 40;
    add(TALL_MOUND, x, width, 0, 78 + random(12));
    if (random(2) == 0) mangoArc(x + width / 2, 5, pace);
  } else if (kind == LOG) {
    width = 84 + random(24);
    add(LOG, x, width, 0, 34);
    if (random(3) > 0) mangoArc(x + width / 2, 5, pace);
  } else if (kind == NESTS) {
    width = 52 + random(30);
    add(NESTS, x, width, 44, 1000);
    if (random(3) > 0) mangoLine(x - 24, 16, 4);
  } else if (kind == BIRD) {
    width = 46;
    // The bird flies towards the runner, so they meet before `x`.
    add(BIRD, x + 90, width, 48, 80);
  } else {
    // The water is as wide as a jump at that speed covers with ease.
    width = (pace * (17 + random(8))) >> 8;
    add(WATER, x, width, 0, 3);
    if (random(3) > 0) mangoArc(x + width / 2, 7, pace);
  }

  const tight = tick / 220;
  const gap = (tight > 34 ? 42 : 76 - tight) + random(46);
  const open = (gap * pace) >> 8;
  // Sometimes add a line of mangoes on the open way, high for a double jump or low.
  if (kind != BIRD && gap > 66 && random(2) == 0)
    mangoLine(x + width + open / 3, random(3) == 0 ? 150 : 26, 3 + random(2));
  nextX = x + width + open;
}

/** Finds hits and near misses. */
function meet(): void {
  const here = word(DISTANCE) >> 8;
  const feet = word(Y) >> 8;
  const tall = word(SLIDE) > 0 && word(JUMPS) == 0 ? FLAT : TALL;
  for (let slot = 0; slot < OBSTACLES; slot++) {
    const at = HEADER + slot * OBSTACLE_WORDS;
    const kind = word(at + KIND);
    if (kind == 0 || word(at + CLEARANCE) < 0) continue;
    const left = word(at + X) >> 8;
    const right = left + word(at + WIDTH);
    // Water endangers the feet only: it may reach under the body's ends.
    const margin = kind == WATER ? 14 : 0;
    if (left < here + FRONT && pressedAt[slot] > 0) {
      answeredKind = kind;
      answeredTicks = word(TICK) - pressedAt[slot];
      pressedAt[slot] = 0;
    }
    if (left < here + FRONT - margin && right > here - BACK + margin) {
      const above = feet - word(at + HIGH);
      const below = word(at + LOW) - (feet + tall);
      if (above < 0 && below < 0) {
        if (word(SAFE) == 0) hit(at, slot);
        continue;
      }
      let clearance = above >= 0 ? above : below;
      if (above < 0) {
        // Below an obstacle, the near miss depends on how late the slide began, not on how low the runner was.
        const early = word(TICK) - slideStarted;
        clearance = word(SLIDE) > 0 && word(at + CLEARANCE) == 1000 ? (early <= LATE_SLIDE ? 0 : 999) : 999;
      }
      if (clearance < word(at + CLEARANCE)) put(at + CLEARANCE, clearance);
    } else if (right <= here - BACK + margin) {
      if (word(at + CLEARANCE) < NEAR && word(SAFE) == 0) miss(slot);
      put(at + CLEARANCE, -1);
    }
  }
}

function hit(at: i32, slot: i32): void {
  put(LIVES, word(LIVES) - 1);
  put(SAFE, SAFE_TICKS);
  put(CHAIN, 0);
  put(EVENT_AT, slot);
  put(at + CLEARANCE, -1);
  happened(EVENT_HIT);
}

function miss(slot: i32): void {
  const chain = word(CHAIN) < 8 ? word(CHAIN) : 7;
  const points = 25 + chain * 5;
  put(CHAIN, word(CHAIN) + 1);
  put(MISS_POINTS, points);
  put(EVENT_AT, slot);
  bonus += points;
  happened(EVENT_MISS);
}

function collect(): void {
  const here = word(DISTANCE) >> 8;
  const feet = word(Y) >> 8;
  const tall = word(SLIDE) > 0 && word(JUMPS) == 0 ? FLAT : TALL;
  for (let slot = 0; slot < MANGOES; slot++) {
    const at = HEADER + OBSTACLES * OBSTACLE_WORDS + slot * MANGO_WORDS;
    if (word(at) != 1) continue;
    const x = word(at + 1);
    const y = word(at + 2);
    if (x > here - BACK - 16 && x < here + FRONT + 16 && y > feet - 18 && y < feet + tall + 18) {
      put(at, 2);
      put(MANGO_COUNT, word(MANGO_COUNT) + 1);
      bonus += MANGO_POINTS;
      happened(EVENT_MANGO);
    }
  }
}
