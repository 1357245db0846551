import { PITS, ROW, type Side } from "./state";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** The positions of the board's parts, in CSS pixels of the view. */
export interface Layout {
  width: number;
  height: number;
  /** The distance from one pit of a row to the next. */
  pitch: number;
  /** The radius of a pit. */
  radius: number;
  /** The radius of a seed. */
  seed: number;
  board: Box;
  corner: number;
  pits: Point[];
  bowls: [Box, Box];
}

/** The height of the edge below the board's face, which all pressable elements have. */
export const BOARD_EDGE = 9;

/** Fits the board, upright, between the computer's panel and the player's. */
export function layout(width: number, space: Box, bowls: [Box, Box], height: number): Layout {
  const pitch = Math.max(30, Math.min(78, (space.height - BOARD_EDGE) / (ROW + 0.56), (width - 24) / 4.6));
  const radius = pitch * 0.44;
  // A board with room at its sides takes some of it.
  const spread = Math.max(1, Math.min(1.14, (width - 84) / (pitch * 4.42)));
  const boardWidth = pitch * 4.42 * spread;
  const boardHeight = pitch * (ROW + 0.56);
  const board = {
    x: (width - boardWidth) / 2,
    y: space.y + (space.height - BOARD_EDGE - boardHeight) / 2,
    width: boardWidth,
    height: boardHeight,
  };
  const pits: Point[] = [];
  for (let pit = 0; pit < PITS; pit++) {
    // The player's row is the right one and is sown upwards; the computer's is the left one, sown downwards.
    const mine = pit < ROW;
    const row = mine ? ROW - 1 - pit : pit - ROW;
    pits.push({
      x: width / 2 + (mine ? 1 : -1) * pitch * 1.03 * spread,
      y: board.y + pitch * (0.78 + row),
    });
  }
  return { width, height, pitch, radius, seed: pitch * 0.122, board, corner: pitch * 0.95, pits, bowls };
}

const GOLDEN = 2.399963;

/** Returns where seed `index` of `count` lies in a pit, from its middle, in seed radii: in rings that stay readable up to a dozen. */
export function slot(index: number, count: number, twist: number): Point {
  const ring = (i: number, n: number, r: number, turn: number): Point => ({
    x: Math.cos((i / n) * Math.PI * 2 + turn) * r,
    y: Math.sin((i / n) * Math.PI * 2 + turn) * r,
  });
  if (count === 1) return { x: Math.cos(twist) * 0.25, y: Math.sin(twist) * 0.25 };
  if (count <= 5) return ring(index, count, count === 2 ? 1.08 : count < 5 ? 1.36 : 1.64, twist);
  if (count <= 8) {
    return index === 0 ? { x: 0, y: 0 } : ring(index - 1, count - 1, count < 8 ? 2.06 : 2.2, twist);
  }
  // Three seeds lie in the middle, the rest around them; more than a dozen lie on each other.
  if (count <= 12)
    return index < 3 ? ring(index, 3, 0.98, twist) : ring(index - 3, count - 3, 2.34, twist + 0.3);
  const spread = 2.5 * Math.sqrt((index + 0.5) / count);
  return { x: Math.cos(index * GOLDEN) * spread, y: Math.sin(index * GOLDEN) * spread };
}

/** Seeds that cover a bowl; the next ones lie on them. */
const LAYER = 24;

/** Returns where caught seed `index` lies in a bowl. Seeds spread from the middle of the bowl, then pile up. */
export function bowlSlot(bowl: Box, index: number, seed: number): Point {
  const spread = Math.sqrt(((index % LAYER) + 0.5) / LAYER);
  const angle = index * GOLDEN;
  return {
    x: bowl.x + bowl.width / 2 + Math.cos(angle) * spread * (bowl.width / 2 - seed * 1.5),
    y: bowl.y + bowl.height / 2 + Math.sin(angle) * spread * (bowl.height / 2 - seed * 1.4),
  };
}

/** Returns the middle of an arc: outwards along a row, upwards across the board. */
export function bend(from: Point, to: Point, middle: number, side: Side): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const along = Math.abs(to.x - from.x) < 8;
  const outward = side === 0 ? 1 : -1;
  if (along) {
    return { x: from.x + outward * Math.min(46, 14 + distance * 0.2), y: (from.y + to.y) / 2 };
  }
  const top = Math.min(from.y, to.y) - Math.min(54, 20 + distance * 0.16);
  return { x: (from.x + to.x) / 2 + (middle - (from.x + to.x) / 2) * 0.2, y: top };
}
