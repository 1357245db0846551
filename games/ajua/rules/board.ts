// Boards as 18 bytes in memory: 16 pits, then what the player and the computer caught. Sowing, and the computer's search.

import { Random } from "./random";

export const ROW: i32 = 8;
export const PITS: i32 = 16;
export const SEEDS: i32 = 64;
/** A turn ends after this many laps: sowing that never ends is possible, and a player could not follow it. */
export const MAX_LAPS: i32 = 12;

const SLOT: i32 = 32;
const DEEPEST: i32 = 3;
/** Slot 0 is the game, the others are the search's children, eight per depth. */
export const workspace: usize = memory.data((1 + (DEEPEST + 1) * 8) * 32, 8);
const children: usize = workspace + SLOT;

const PICK = 1,
  SOW = 2,
  CATCH = 3;

export function at(board: usize, pit: i32): i32 {
  return <i32>load<u8>(board + pit);
}

export function copy(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to + 8, load<u64>(from + 8));
  store<u16>(to + 16, load<u16>(from + 16));
}

/** Sows from `pit` lap after lap, and calls `record(kind, pit, count)` for each event of the view. Returns the seeds caught. */
export function relay(board: usize, pit: i32, record: (kind: i32, pit: i32, count: i32) => void): i32 {
  const side = pit >> 3;
  let lap = 0;
  while (true) {
    let hand = at(board, pit);
    store<u8>(board + pit, 0);
    record(PICK, pit, hand);
    while (hand > 0) {
      pit = (pit + 1) & 15;
      store<u8>(board + pit, <u8>(at(board, pit) + 1));
      record(SOW, pit, 1);
      hand--;
    }
    if (at(board, pit) == 1) break;
    if (++lap >= MAX_LAPS) return 0;
  }
  return capture(board, pit, side, record);
}

function capture(board: usize, pit: i32, side: i32, record: (kind: i32, pit: i32, count: i32) => void): i32 {
  const across = at(board, 15 - pit);
  if (pit >> 3 != side || across == 0) return 0;
  store<u8>(board + pit, 0);
  store<u8>(board + 15 - pit, 0);
  store<u8>(board + PITS + side, <u8>(at(board, PITS + side) + across + 1));
  record(CATCH, pit, across + 1);
  return across + 1;
}

/** Sows like `relay`, but without `record`, because the search sows a great many boards. */
function sow(board: usize, pit: i32): i32 {
  const side = pit >> 3;
  let lap = 0;
  while (true) {
    let hand = at(board, pit);
    store<u8>(board + pit, 0);
    for (; hand > 0; hand--) {
      pit = (pit + 1) & 15;
      store<u8>(board + pit, <u8>(at(board, pit) + 1));
    }
    if (at(board, pit) == 1) break;
    if (++lap >= MAX_LAPS) return 0;
  }
  const across = at(board, 15 - pit);
  if (pit >> 3 != side || across == 0) return 0;
  store<u8>(board + pit, 0);
  store<u8>(board + 15 - pit, 0);
  store<u8>(board + PITS + side, <u8>(at(board, PITS + side) + across + 1));
  return across + 1;
}

/** One turn in so many, drawn from the seed, is a slip: the opponent plays one step weaker. */
const SLIP: i32 = 4;

/**
 * Returns the opponent's move; the seed chooses among equals. Kobe (strength 1) plays any move, Fisi (2) the best move
 * of this turn, Sungura (3) looks three turns ahead. In a slip Kobe avoids catches, Fisi plays any move, Sungura looks
 * two turns ahead.
 */
export function choose(board: usize, strength: i32, random: Random): i32 {
  const slips = random.below(SLIP) == 0;
  if (strength == 1) return anyMove(board, slips, random);
  if (strength == 2) return slips ? anyMove(board, false, random) : bestMove(board, 1, random);
  return bestMove(board, slips ? 2 : 3, random);
}

/** Returns the move with the best value `depth` turns ahead. */
function bestMove(board: usize, depth: i32, random: Random): i32 {
  let best = -INFINITE,
    pick = -1,
    equals = 0;
  for (let pit = ROW; pit < PITS; pit++) {
    if (at(board, pit) == 0) continue;
    const child = children + (depth * 8 + pit - ROW) * SLOT;
    copy(child, board);
    sow(child, pit);
    // The bound is one lower than the best value, so that equal moves are found equal.
    const value = -search(child, 0, depth - 1, -INFINITE, pick < 0 ? INFINITE : 1 - best);
    if (value > best) {
      best = value;
      pick = pit;
      equals = 1;
    } else if (value == best && random.below(++equals) == 0) pick = pit;
  }
  return pick;
}

/** Returns a random move, of those that catch least if `avoidsCatches`. */
function anyMove(board: usize, avoidsCatches: bool, random: Random): i32 {
  let least = INFINITE,
    pick = -1,
    equals = 0;
  for (let pit = ROW; pit < PITS; pit++) {
    if (at(board, pit) == 0) continue;
    let caught = 0;
    if (avoidsCatches) {
      copy(children, board);
      caught = sow(children, pit);
    }
    if (caught < least) {
      least = caught;
      equals = 0;
    }
    if (caught == least && random.below(++equals) == 0) pick = pit;
  }
  return pick;
}

const INFINITE: i32 = 1 << 20;
const DECIDED: i32 = 10_000;

/** Negamax with alpha-beta, catches first. The value is that of the side to move. */
function search(board: usize, side: i32, depth: i32, alpha: i32, beta: i32): i32 {
  const mine = at(board, PITS + side),
    theirs = at(board, PITS + 1 - side);
  // The turn before has decided the game; an earlier win is worth more.
  if (theirs * 2 > SEEDS) return (mine - theirs) * 4 - DECIDED - depth * 64;
  if (depth == 0) return (mine - theirs) * 4 + mobility(board, side) - mobility(board, 1 - side);
  const row = children + depth * 8 * SLOT;
  let order: u64 = 0,
    waiting = 0;
  for (let index = 0; index < ROW; index++) {
    const pit = side * ROW + index;
    if (at(board, pit) == 0) continue;
    const child = row + index * SLOT;
    copy(child, board);
    const caught = sow(child, pit);
    order |= (<u64>(caught + 1)) << (index * 8);
    waiting++;
  }
  if (waiting == 0) {
    let left = 0;
    for (let pit = (1 - side) * ROW; pit < (1 - side) * ROW + ROW; pit++) left += at(board, pit);
    const lead = mine - theirs - left;
    return lead > 0 ? DECIDED + lead * 4 : lead < 0 ? lead * 4 - DECIDED : 0;
  }
  let best = -INFINITE;
  for (; waiting > 0; waiting--) {
    let next = 0,
      most: u64 = 0;
    for (let index = 0; index < ROW; index++) {
      const caught = (order >> (index * 8)) & 255;
      if (caught > most) {
        most = caught;
        next = index;
      }
    }
    order &= ~((<u64>255) << (next * 8));
    const value = -search(row + next * SLOT, 1 - side, depth - 1, -beta, -alpha);
    if (value > best) best = value;
    if (best > alpha) alpha = best;
    if (alpha >= beta) break;
  }
  return best;
}

/** Counts the pits with seeds: a choice of moves has a value. */
function mobility(board: usize, side: i32): i32 {
  let pits = 0;
  for (let pit = side * ROW; pit < side * ROW + ROW; pit++) if (at(board, pit) > 0) pits++;
  return pits;
}
