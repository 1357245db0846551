// The word lists' own format: a minimal automaton (DAWG), written so that gzip shrinks it well.
//
// A node is the list of its edges by letter. An edge is one byte: its letter's distance from that of the edge before it (A has distance 1
// at the start of a node), plus 32 on a node's last edge, 64 when a word ends here, and 128 when the edge's node is shared. A node that
// is not shared follows its parent's edges in place. Shared nodes are numbered by how often they are used. An edge to a shared node does
// not say whether a word ends there: a bit of `ends` does. The numbers are in two further streams, low byte and high byte, for all edges
// with letter A first, then B, because the nodes after one letter are similar. Number 0 is the node without edges. Both streams store
// each value plus 1, because the compiler cuts static data at runs of zeros, and a thousand pieces compress badly.

export const LAST = 32;
export const END = 64;
export const SHARED = 128;

/** Builds the minimal automaton of a sorted list of words (Daciuk's incremental construction). */
export function build(words) {
  const nodes = new Map();
  const root = { edges: new Map(), end: false, id: -1 };
  const open = [];
  let count = 0;
  const close = (depth) => {
    while (open.length > depth) {
      const { parent, letter, node } = open.pop();
      const key = `${node.end}${[...node.edges].map(([to, child]) => `${to}${child.id}`)}`;
      const twin = nodes.get(key);
      if (twin) parent.edges.set(letter, twin);
      else {
        node.id = count++;
        nodes.set(key, node);
      }
    }
  };
  let before = "";
  for (const word of words) {
    if (word <= before) throw new Error(`not sorted, or twice: ${word}`);
    let same = 0;
    while (same < before.length && word[same] === before[same]) same++;
    close(same);
    let node = open.length ? open[open.length - 1].node : root;
    for (const letter of word.slice(same)) {
      const child = { edges: new Map(), end: false, id: -1 };
      node.edges.set(letter, child);
      open.push({ parent: node, letter, node: child });
      node = child;
    }
    node.end = true;
    before = word;
  }
  close(0);
  return root;
}

/** Packs the automaton as streams of bytes; `shared` is the number of shared nodes, including the one without edges. */
export function pack(root) {
  const uses = new Map();
  const count = (node) => {
    uses.set(node, (uses.get(node) ?? 0) + 1);
    if (uses.get(node) === 1) for (const child of node.edges.values()) count(child);
  };
  count(root);
  const leaf = [...uses.keys()].find((node) => node.edges.size === 0);
  const shared = [...uses]
    .filter(([node, times]) => times > 1 && node !== leaf)
    .sort(([a, timesA], [b, timesB]) => timesB - timesA || a.id - b.id)
    .map(([node]) => node);
  const numbers = new Map([leaf, ...shared].map((node, number) => [node, number]));
  const edges = [];
  const references = Array.from({ length: 27 }, () => []);
  const write = (node) => {
    const inPlace = [];
    let before = 0;
    const sorted = [...node.edges].sort(([a], [b]) => (a < b ? -1 : 1));
    sorted.forEach(([name, child], index) => {
      const letter = name.charCodeAt(0) - 96;
      const number = numbers.get(child);
      const last = index === sorted.length - 1 ? LAST : 0;
      if (number === undefined) {
        edges.push((letter - before) | last | (child.end ? END : 0));
        inPlace.push(child);
      } else {
        edges.push((letter - before) | last | SHARED);
        references[letter].push(number);
      }
      before = letter;
    });
    inPlace.forEach(write);
  };
  for (const node of shared) write(node);
  write(root);
  const ends = new Array(Math.ceil((shared.length + 1) / 8)).fill(0);
  for (const [node, number] of numbers) if (node.end) ends[number >> 3] |= 1 << (number & 7);
  const all = references.flat();
  return {
    edges,
    low: all.map((number) => (number + 1) & 255),
    high: all.map((number) => (number >> 8) + 1),
    ends,
    shared: shared.length + 1,
  };
}

/** Yields every word of the packed form, in alphabetical order, for tests; it walks the form as the rules do. */
export function unpack({ edges, low, high, ends, shared }) {
  const letters = [];
  const counts = new Array(28).fill(0);
  let letter = 0;
  for (const edge of edges) {
    letter += edge & 31;
    letters.push(letter);
    if (edge & SHARED) counts[letter + 1]++;
    if (edge & LAST) letter = 0;
  }
  for (let index = 1; index < 28; index++) counts[index] += counts[index - 1];
  const numbers = edges.map((edge, at) => {
    if (!(edge & SHARED)) return -1;
    const reference = counts[letters[at]]++;
    return ((low[reference] - 1) & 255) | ((high[reference] - 1) << 8);
  });

  let cursor = 0;
  const children = [];
  const readNode = () => {
    const first = cursor;
    while (!(edges[cursor++] & LAST));
    const behind = cursor;
    for (let at = first; at < behind; at++) {
      if (edges[at] & SHARED) continue;
      children[at] = cursor;
      readNode();
    }
  };
  const starts = [-1];
  for (let number = 1; number < shared; number++) {
    starts.push(cursor);
    readNode();
  }
  const root = cursor;
  readNode();

  const words = [];
  const walk = (node, prefix) => {
    for (let at = node; ; at++) {
      const number = numbers[at];
      const word = prefix + String.fromCharCode(96 + letters[at]);
      const end = number < 0 ? edges[at] & END : (ends[number >> 3] >> (number & 7)) & 1;
      if (end) words.push(word);
      const child = number < 0 ? children[at] : starts[number];
      if (child >= 0) walk(child, word);
      if (edges[at] & LAST) return;
    }
  };
  walk(root, "");
  return words;
}
