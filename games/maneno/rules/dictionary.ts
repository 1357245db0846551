// The language's automaton, unpacked at init from the static data; tools/dawg.mjs describes the packed form.
import {
  ENGLISH,
  ENGLISH_EDGES,
  ENGLISH_ENDS,
  ENGLISH_HIGH,
  ENGLISH_LOW,
  ENGLISH_SHARED,
  SWAHILI,
  SWAHILI_EDGES,
  SWAHILI_ENDS,
  SWAHILI_HIGH,
  SWAHILI_LOW,
  SWAHILI_SHARED,
} from "./gen/words";

export const LAST: i32 = 32;
export const END: i32 = 64;
const SHARED: i32 = 128;
const LETTER: i32 = 31;

export const NO_CHILD: i32 = -1;

const MOST_EDGES: i32 = 65536;
const MOST_SHARED: i32 = 4096;

// An edge: its letter (A is 1) with LAST and END, and the index of its child's first edge.
const edges = new StaticArray<u8>(MOST_EDGES);
const children = new StaticArray<i32>(MOST_EDGES);
const sharedAt = new StaticArray<i32>(MOST_SHARED);
/** The index of the next reference for each letter. */
const references = new StaticArray<i32>(28);
let cursor: i32 = 0;

/** The index of the root's first edge. */
export let root: i32 = 0;

export function edgeAt(at: i32): i32 {
  return <i32>unchecked(edges[at]);
}

export function childOf(at: i32): i32 {
  return unchecked(children[at]);
}

// Reads the edges of the node at the cursor, then the unshared nodes behind them. The depth is at most the longest word.
function readNode(): void {
  const first = cursor;
  while (!(edgeAt(cursor++) & LAST)) {}
  const behind = cursor;
  for (let at = first; at < behind; at++) {
    if (edgeAt(at) & SHARED) continue;
    unchecked((children[at] = cursor));
    readNode();
  }
}

export function openDictionary(level: i32): void {
  const english = level == 1;
  const packed = english ? ENGLISH : SWAHILI;
  const low = english ? ENGLISH_LOW : SWAHILI_LOW;
  const high = english ? ENGLISH_HIGH : SWAHILI_HIGH;
  const ends = english ? ENGLISH_ENDS : SWAHILI_ENDS;
  const count = english ? ENGLISH_EDGES : SWAHILI_EDGES;
  const shared = english ? ENGLISH_SHARED : SWAHILI_SHARED;

  // Decode the letters from their differences, and count for each letter the edges that lead to a shared node.
  memory.fill(changetype<usize>(references), 0, 28 * 4);
  let letter = 0;
  for (let at = 0; at < count; at++) {
    const edge = <i32>load<u8>(packed + at);
    letter += edge & LETTER;
    unchecked((edges[at] = <u8>(letter | (edge & ~LETTER))));
    if (edge & SHARED) unchecked(references[letter + 1]++);
    if (edge & LAST) letter = 0;
  }
  for (let i = 1; i < 28; i++) unchecked((references[i] += references[i - 1]));

  cursor = 0;
  unchecked((sharedAt[0] = NO_CHILD));
  for (let number = 1; number < shared; number++) {
    unchecked((sharedAt[number] = cursor));
    readNode();
  }
  root = cursor;
  readNode();

  for (let at = 0; at < count; at++) {
    const edge = edgeAt(at);
    if (!(edge & SHARED)) continue;
    const reference = <usize>unchecked(references[edge & LETTER]++);
    const number =
      ((<i32>load<u8>(low + reference) - 1) & 255) | ((<i32>load<u8>(high + reference) - 1) << 8);
    unchecked((children[at] = sharedAt[number]));
    const end = (<i32>load<u8>(ends + (number >> 3)) >> (number & 7)) & 1;
    unchecked((edges[at] = <u8>((edge & (LETTER | LAST)) | (end ? END : 0))));
  }
}
