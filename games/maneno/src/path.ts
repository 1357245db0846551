import { CELLS, LONGEST, SIDE } from "./state";

export function areNeighbours(a: number, b: number): boolean {
  return (
    a !== b &&
    Math.abs((a % SIDE) - (b % SIDE)) <= 1 &&
    Math.abs(Math.floor(a / SIDE) - Math.floor(b / SIDE)) <= 1
  );
}

/** Whether the way can continue to this cell. */
export function canEnter(path: readonly number[], cell: number): boolean {
  const last = path[path.length - 1];
  if (last === undefined) return true;
  return path.length < LONGEST && !path.includes(cell) && areNeighbours(last, cell);
}

/** Returns a way through the grid that spells `text`, if possible one that keeps most of `current`; null without one. */
export function spell(grid: readonly string[], text: string, current: readonly number[]): number[] | null {
  const path: number[] = [];
  const search = (): boolean => {
    if (path.length === text.length) return true;
    const kept = current[path.length];
    const cells = [...Array(CELLS).keys()];
    if (kept !== undefined) cells.unshift(kept);
    for (const cell of cells) {
      if (grid[cell] !== text[path.length] || !canEnter(path, cell)) continue;
      path.push(cell);
      if (search()) return true;
      path.pop();
    }
    return false;
  };
  return search() ? path : null;
}

/** Returns the inputs that lead from one way to another: taking back some letters, or all, then the new ones. */
export function inputsBetween(from: readonly number[], to: readonly number[], clear: number): number[] {
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  const inputs: number[] = [];
  if (same === 0 && from.length > 0) inputs.push(clear);
  // Entering the cell before takes a letter back.
  else for (let at = from.length - 2; at >= same - 1; at--) inputs.push((from[at] ?? 0) + 1);
  for (const cell of to.slice(same)) inputs.push(cell + 1);
  return inputs;
}

/** A point on the board, in tiles: the middle of cell 0 is at 0.5, 0.5. */
export interface Point {
  x: number;
  y: number;
}

// A passing finger takes a cell only well inside it, so that a slanting drag does not touch the cells beside its way.
const REACH = 0.37;

/** Returns the cell under a finger that presses down: the whole cell counts. */
export function cellAt({ x, y }: Point): number | null {
  if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) return null;
  return Math.floor(y) * SIDE + Math.floor(x);
}

/** Returns the cells whose middle a finger comes near on its way from one point to another, in order. */
export function cellsAlong(from: Point, to: Point): number[] {
  const cells: number[] = [];
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 0.08));
  for (let step = 1; step <= steps; step++) {
    const x = from.x + ((to.x - from.x) * step) / steps;
    const y = from.y + ((to.y - from.y) * step) / steps;
    const cell = cellAt({ x, y });
    if (cell === null || cell === cells[cells.length - 1]) continue;
    if (Math.hypot(x - Math.floor(x) - 0.5, y - Math.floor(y) - 0.5) <= REACH) cells.push(cell);
  }
  return cells;
}

/** Returns the way after the finger came to a cell: extended, cut back to a cell that it passed, or unchanged. */
export function follow(path: readonly number[], cell: number): number[] {
  const passed = path.indexOf(cell);
  if (passed >= 0) return path.slice(0, passed + 1);
  return canEnter(path, cell) ? [...path, cell] : [...path];
}
