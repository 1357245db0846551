// The 25 letters and every word that lies in them.
import { childOf, END, edgeAt, LAST, NO_CHILD, root } from "./dictionary";
import {
  ENGLISH_HIDDEN,
  ENGLISH_HIDDEN_COUNT,
  ENGLISH_WEIGHTS,
  SWAHILI_HIDDEN,
  SWAHILI_HIDDEN_COUNT,
  SWAHILI_WEIGHTS,
} from "./gen/words";
import { random } from "./random";

export const SIDE: i32 = 5;
export const CELLS: i32 = 25;
const LETTERS: i32 = 26;
const EMPTY: u8 = 255;
const HIDDEN_BYTES: i32 = 10; // the word's length, then space for nine letters

/** A grid is accepted once it has this many words; else the richest of the attempts is. */
const ENOUGH_WORDS: i32 = 110;
const ATTEMPTS: i32 = 6;
const MOST_SAME: i32 = 4;

export const letters = new StaticArray<u8>(CELLS);
const best = new StaticArray<u8>(CELLS);
const neighbours = new StaticArray<u8>(CELLS * 9); // the number of neighbours, then the cells

/** The hidden word, as a code. */
export let hidden: u64 = 0;

// Appends a letter to a word's code: five bits a letter, the first letter highest, A is 1. Words of up to twelve letters fit.
export function appended(code: u64, letter: i32): u64 {
  return (code << 5) | <u64>(letter + 1);
}

export function lengthOf(code: u64): i32 {
  return (64 - <i32>clz(code) + 4) / 5;
}

export function letterOf(code: u64, index: i32): i32 {
  return <i32>((code >> <u64>(5 * (lengthOf(code) - 1 - index))) & 31) - 1;
}

// The words of the grid: a hash table with open addressing, and the slots in the order in which they were found.
const SLOTS: i32 = 4096;
const MOST_WORDS: i32 = 2048;
const slots = new StaticArray<u64>(SLOTS);
const marks = new StaticArray<u8>(SLOTS);
const order = new StaticArray<u16>(MOST_WORDS);
export let wordCount: i32 = 0;

/** Returns the slot of a word, or the empty slot for it. */
function slotOf(code: u64): i32 {
  let slot = <i32>((code * 0x9e3779b97f4a7c15) >> 52);
  while (unchecked(slots[slot]) != 0 && unchecked(slots[slot]) != code) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

function addWord(code: u64): void {
  const slot = slotOf(code);
  if (unchecked(slots[slot]) != 0 || wordCount == MOST_WORDS) return;
  unchecked((slots[slot] = code));
  unchecked((order[wordCount++] = <u16>slot));
}

function forgetWords(): void {
  for (let i = 0; i < wordCount; i++) unchecked((slots[order[i]] = 0));
  memory.fill(changetype<usize>(marks), 0, SLOTS);
  wordCount = 0;
}

export const UNKNOWN: i32 = 0;
export const NEW: i32 = 1;
export const FOUND: i32 = 2;

export function standing(code: u64): i32 {
  const slot = slotOf(code);
  if (code == 0 || unchecked(slots[slot]) != code) return UNKNOWN;
  return unchecked(marks[slot]) ? FOUND : NEW;
}

export function markFound(code: u64): void {
  unchecked((marks[slotOf(code)] = 1));
}

/** Returns the longest word that was not found; among several the hidden one, else the first that was discovered. */
export function longestMissed(): u64 {
  let longest: u64 = 0;
  for (let i = 0; i < wordCount; i++) {
    const slot = <i32>unchecked(order[i]);
    const code = unchecked(slots[slot]);
    if (unchecked(marks[slot])) continue;
    if (lengthOf(code) > lengthOf(longest) || (code == hidden && lengthOf(code) == lengthOf(longest)))
      longest = code;
  }
  return longest;
}

/** Returns a short word for a newcomer's first hint: the first of four letters, else the first of all. */
export function easyWord(): u64 {
  for (let i = 0; i < wordCount; i++) {
    const code = unchecked(slots[order[i]]);
    if (lengthOf(code) == 4) return code;
  }
  return wordCount > 0 ? unchecked(slots[order[0]]) : 0;
}

function search(cell: i32, node: i32, code: u64, used: u32): void {
  const letter = <i32>unchecked(letters[cell]) + 1;
  let at = node;
  let edge = edgeAt(at);
  while ((edge & 31) != letter) {
    if (edge & LAST) return;
    edge = edgeAt(++at);
  }
  const longer = (code << 5) | <u64>letter;
  if (edge & END) addWord(longer);
  const child = childOf(at);
  if (child == NO_CHILD) return;
  const around = cell * 9;
  const taken = used | (1 << cell);
  for (let i = 1; i <= <i32>unchecked(neighbours[around]); i++) {
    const next = <i32>unchecked(neighbours[around + i]);
    if (!((taken >> next) & 1)) search(next, child, longer, taken);
  }
}

function solve(): void {
  forgetWords();
  for (let cell = 0; cell < CELLS; cell++) search(cell, root, 0, 0);
}

export function areNeighbours(a: i32, b: i32): bool {
  return abs((a % SIDE) - (b % SIDE)) <= 1 && abs(a / SIDE - b / SIDE) <= 1;
}

function tellNeighbours(): void {
  for (let cell = 0; cell < CELLS; cell++) {
    let count = 0;
    for (let other = 0; other < CELLS; other++) {
      if (other != cell && areNeighbours(cell, other)) neighbours[cell * 9 + ++count] = <u8>other;
    }
    neighbours[cell * 9] = <u8>count;
  }
}

/** Finds a way through the grid that spells a word; writes its cells, or returns false. */
export function trace(code: u64, index: i32, cell: i32, used: u32, cells: StaticArray<i32>): bool {
  if (<i32>unchecked(letters[cell]) != letterOf(code, index)) return false;
  cells[index] = cell;
  if (index == lengthOf(code) - 1) return true;
  for (let i = 1; i <= <i32>neighbours[cell * 9]; i++) {
    const next = <i32>neighbours[cell * 9 + i];
    if (!((used >> next) & 1) && trace(code, index + 1, next, used | (1 << next), cells)) return true;
  }
  return false;
}

function isVowel(letter: i32): bool {
  return letter == 0 || letter == 4 || letter == 8 || letter == 14 || letter == 20;
}

function drawLetter(weights: usize, vowel: bool): i32 {
  let sum = 0;
  for (let letter = 0; letter < LETTERS; letter++)
    if (isVowel(letter) == vowel) sum += <i32>load<u8>(weights + letter);
  let left = random(sum);
  for (let letter = 0; letter < LETTERS; letter++) {
    if (isVowel(letter) != vowel) continue;
    left -= <i32>load<u8>(weights + letter);
    if (left < 0) return letter;
  }
  return 0;
}

// Lays the hidden word on a random way through the grid, beginning with its last letter that is not laid yet.
function lay(word: usize, length: i32, index: i32, cell: i32): bool {
  letters[cell] = load<u8>(word + 1 + index);
  if (index == length - 1) return true;
  const count = <i32>neighbours[cell * 9];
  const turn = random(count);
  for (let i = 0; i < count; i++) {
    const next = <i32>neighbours[cell * 9 + 1 + ((i + turn) % count)];
    if (letters[next] == EMPTY && lay(word, length, index + 1, next)) return true;
  }
  letters[cell] = EMPTY;
  return false;
}

// Fills the cells beside the hidden word: as many vowels as the language usually has, no letter too often.
function fill(weights: usize, english: bool): void {
  let vowels = english ? 8 + random(3) : 10 + random(3);
  let free = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    if (letters[cell] == EMPTY) free++;
    else if (isVowel(letters[cell])) vowels--;
  }
  for (let cell = 0; cell < CELLS; cell++) {
    if (letters[cell] != EMPTY) continue;
    const vowel = random(free) < vowels;
    let letter = drawLetter(weights, vowel);
    for (let again = 0; again < 8 && tooMany(letter); again++) letter = drawLetter(weights, vowel);
    letters[cell] = <u8>letter;
    if (vowel) vowels--;
    free--;
  }
}

function tooMany(letter: i32): bool {
  let same = 0;
  for (let cell = 0; cell < CELLS; cell++) if (<i32>letters[cell] == letter) same++;
  return same >= MOST_SAME;
}

/** Draws a grid and finds all its words. The dictionary must be open. */
export function drawGrid(level: i32): void {
  const english = level == 1;
  const words = english ? ENGLISH_HIDDEN : SWAHILI_HIDDEN;
  const weights = english ? ENGLISH_WEIGHTS : SWAHILI_WEIGHTS;
  const word = words + HIDDEN_BYTES * random(english ? ENGLISH_HIDDEN_COUNT : SWAHILI_HIDDEN_COUNT);
  const length = <i32>load<u8>(word);
  hidden = 0;
  for (let i = 0; i < length; i++) hidden = appended(hidden, load<u8>(word + 1 + i));

  tellNeighbours();
  let richest = -1;
  for (let attempt = 0; attempt < ATTEMPTS && richest < ENOUGH_WORDS; attempt++) {
    do memory.fill(changetype<usize>(letters), EMPTY, CELLS);
    while (!lay(word, length, 0, random(CELLS)));
    fill(weights, english);
    solve();
    if (wordCount <= richest) continue;
    richest = wordCount;
    memory.copy(changetype<usize>(best), changetype<usize>(letters), CELLS);
  }
  memory.copy(changetype<usize>(letters), changetype<usize>(best), CELLS);
  solve();
}
