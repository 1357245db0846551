// The language's automaton. Its packed form (tools/dawg.mjs) stays where it is; init adds to each edge where its child begins.
import {
  ENGLISH,
  ENGLISH_EDGES,
  ENGLISH_HIGH,
  ENGLISH_LOW,
  ENGLISH_SHARED,
  SWAHILI,
  SWAHILI_EDGES,
  SWAHILI_HIGH,
  SWAHILI_LOW,
  SWAHILI_SHARED,
} from "./words";

export const LAST: i32 = 32;
export const END: i32 = 64;
const SHARED: i32 = 128;

export const NO_CHILD: i32 = -1;

const MOST_EDGES: i32 = 65536;
const MOST_SHARED: i32 = 4096;

const children = new StaticArray<i32>(MOST_EDGES);
const sharedAt = new StaticArray<i32>(MOST_SHARED);
let edges: usize = 0;
let low: usize = 0;
let high: usize = 0;
let cursor: i32 = 0;

/** Where the first edges stand. */
export let root: i32 = 0;

export function edgeAt(at: i32): i32 {
  return <i32>load<u8>(edges + at);
}

export function childOf(at: i32): i32 {
  return unchecked(children[at]);
}

// The edges of the node at the cursor, then the nodes in place behind them. Depth is at most the longest word.
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
  edges = english ? ENGLISH : SWAHILI;
  low = english ? ENGLISH_LOW : SWAHILI_LOW;
  high = english ? ENGLISH_HIGH : SWAHILI_HIGH;
  const count = english ? ENGLISH_EDGES : SWAHILI_EDGES;
  const shared = english ? ENGLISH_SHARED : SWAHILI_SHARED;

  cursor = 0;
  unchecked((sharedAt[0] = NO_CHILD));
  for (let number = 1; number < shared; number++) {
    unchecked((sharedAt[number] = cursor));
    readNode();
  }
  root = cursor;
  readNode();

  let reference: usize = 0;
  for (let at = 0; at < count; at++) {
    if (!(edgeAt(at) & SHARED)) continue;
    const number =
      ((<i32>load<u8>(low + reference) - 1) & 255) | ((<i32>load<u8>(high + reference) - 1) << 8);
    unchecked((children[at] = sharedAt[number]));
    reference++;
  }
}
