// The word lists' own format: a minimal automaton (DAWG), written so that gzip shrinks it well.
//
// A node is the list of its edges; an edge is one byte: letter (1 to 26), 32 on a node's last edge, 64 when a word ends here, 128 when
// the node that it leads to is shared. Shared nodes are numbered by how often they are used; the number stands in two further streams,
// low and high byte, each one more than it is. A node that is not shared follows its parent's edges in place. Number 0 is the node
// without edges. No byte is 0 but by chance: the compiler cuts static data at runs of zeros, and a thousand pieces pack badly.

export const LAST = 32;
export const END = 64;
export const SHARED = 128;

/** The minimal automaton of a sorted list of words (Daciuk's incremental construction). */
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

/** The automaton as three streams of bytes; `shared` is the number of shared nodes, the one without edges included. */
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
  const low = [];
  const high = [];
  const write = (node) => {
    const inPlace = [];
    const last = [...node.edges.keys()].length - 1;
    [...node.edges]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .forEach(([letter, child], index) => {
        const number = numbers.get(child);
        edges.push(
          (letter.charCodeAt(0) - 96) |
            (index === last ? LAST : 0) |
            (child.end ? END : 0) |
            (number === undefined ? 0 : SHARED),
        );
        if (number === undefined) inPlace.push(child);
        else {
          low.push((number + 1) & 255);
          high.push((number >> 8) + 1);
        }
      });
    inPlace.forEach(write);
  };
  for (const node of shared) write(node);
  write(root);
  return { edges, low, high, shared: shared.length + 1 };
}
