import { BOARD_EDGE, type Box, type Layout, type Point } from "./layout";
import { LAKE, SEED_COLOURS, WOOD } from "./palette";
import { ROW } from "./state";

type Canvas = CanvasRenderingContext2D;

export function roundRect(g: Canvas, box: Box, radius: number): void {
  const r = Math.min(radius, box.width / 2, box.height / 2);
  g.beginPath();
  g.moveTo(box.x + r, box.y);
  g.arcTo(box.x + box.width, box.y, box.x + box.width, box.y + box.height, r);
  g.arcTo(box.x + box.width, box.y + box.height, box.x, box.y + box.height, r);
  g.arcTo(box.x, box.y + box.height, box.x, box.y, r);
  g.arcTo(box.x, box.y, box.x + box.width, box.y, r);
  g.closePath();
}

function circle(g: Canvas, at: Point, radius: number): void {
  g.beginPath();
  g.arc(at.x, at.y, radius, 0, Math.PI * 2);
}

/** The mat that the board lies on: lit from its middle, with a kiondo's zigzag. */
export function paintMat(g: Canvas, layout: Layout): void {
  const { width, height } = layout;
  const lamp = g.createRadialGradient(width / 2, height * 0.48, 0, width / 2, height * 0.48, height * 0.62);
  lamp.addColorStop(0, LAKE.mat);
  lamp.addColorStop(1, LAKE.far);
  g.fillStyle = lamp;
  g.fillRect(0, 0, width, height);
  g.strokeStyle = LAKE.zigzag;
  g.fillStyle = LAKE.zigzag;
  g.lineWidth = 5;
  for (let y = 8; y < height + 40; y += 64) {
    g.beginPath();
    for (let x = -14, up = true; x < width + 28; x += 14, up = !up) g.lineTo(x, y + (up ? 14 : 0));
    g.stroke();
    for (let x = 14; x < width + 28; x += 28) {
      circle(g, { x, y: y + 38 }, 4);
      g.fill();
    }
  }
}

/** The board: the computer's dark half, the player's light one, grain, a carved line and sixteen hollows. */
export function paintBoard(g: Canvas, layout: Layout): void {
  const { board, corner, pitch } = layout;
  // The shadow of the board on the mat, its edge, its face.
  g.fillStyle = "rgb(3 20 24 / .34)";
  roundRect(g, { ...board, y: board.y + BOARD_EDGE + 7 }, corner);
  g.fill();
  g.fillStyle = WOOD.edgeLow;
  roundRect(g, { ...board, y: board.y + BOARD_EDGE }, corner);
  g.fill();
  g.fillStyle = WOOD.edge;
  roundRect(g, { ...board, y: board.y + BOARD_EDGE - 3 }, corner);
  g.fill();
  g.save();
  roundRect(g, board, corner);
  g.clip();
  const middle = board.x + board.width / 2;
  half(g, { ...board, width: board.width / 2 }, WOOD.theirs, WOOD.theirsDeep, true);
  half(g, { ...board, x: middle, width: board.width / 2 }, WOOD.mine, WOOD.mineDeep, false);
  paintGrain(g, board, pitch);
  g.restore();
  g.strokeStyle = WOOD.rim;
  g.lineWidth = 2.5;
  const inset = Math.max(5, pitch * 0.1);
  roundRect(
    g,
    {
      x: board.x + inset,
      y: board.y + inset,
      width: board.width - inset * 2,
      height: board.height - inset * 2,
    },
    corner - inset,
  );
  g.globalAlpha = 0.8;
  g.stroke();
  g.globalAlpha = 1;
  paintCarving(g, layout);
  layout.pits.forEach((at, pit) => {
    paintPit(g, at, layout.radius, pit < ROW);
  });
}

function half(g: Canvas, box: Box, colour: string, deep: string, fromLeft: boolean): void {
  const shade = g.createLinearGradient(box.x, 0, box.x + box.width, 0);
  shade.addColorStop(fromLeft ? 0 : 1, deep);
  shade.addColorStop(fromLeft ? 0.5 : 0.5, colour);
  g.fillStyle = shade;
  g.fillRect(box.x, box.y, box.width, box.height);
}

/** Lines along the wood, the same at every size. */
function paintGrain(g: Canvas, board: Box, pitch: number): void {
  g.strokeStyle = WOOD.grain;
  for (let line = 0; line < 15; line++) {
    const x = board.x + board.width * ((line + 0.5) / 15);
    const sway = Math.sin(line * 2.3) * pitch * 0.16;
    g.lineWidth = 1 + (line % 3) * 0.8;
    g.beginPath();
    g.moveTo(x, board.y);
    g.bezierCurveTo(
      x + sway,
      board.y + board.height * 0.3,
      x - sway * 1.4,
      board.y + board.height * 0.65,
      x + sway * 0.6,
      board.y + board.height,
    );
    g.stroke();
  }
}

/** Diamonds on the line between the rows, and small cuts at both ends. */
function paintCarving(g: Canvas, layout: Layout): void {
  const { board, pitch } = layout;
  const x = board.x + board.width / 2;
  const diamond = (y: number, size: number): void => {
    g.beginPath();
    g.moveTo(x, y - size * 1.15);
    g.lineTo(x + size, y);
    g.lineTo(x, y + size * 1.15);
    g.lineTo(x - size, y);
    g.closePath();
    g.fill();
  };
  for (const end of [-1, 1]) {
    // Triangles as on a kiondo, between the rim and the first pits, pointing to the middle of the board.
    const y = end < 0 ? board.y + pitch * 0.17 : board.y + board.height - pitch * 0.17;
    const size = pitch * 0.085;
    for (let index = -5; index <= 5; index++) {
      const middle = x + index * size * 2.3;
      g.fillStyle = index < 0 ? WOOD.edge : WOOD.carve;
      g.globalAlpha = 0.75;
      g.beginPath();
      g.moveTo(middle - size, y + end * size * 0.7);
      g.lineTo(middle + size, y + end * size * 0.7);
      g.lineTo(middle, y - end * size * 0.8);
      g.closePath();
      g.fill();
    }
    g.globalAlpha = 1;
  }
  for (let row = 0; row < ROW - 1; row++) {
    const y = board.y + pitch * (1.28 + row);
    g.fillStyle = "rgb(246 207 146 / .5)";
    diamond(y + 1.4, pitch * 0.095);
    g.fillStyle = WOOD.carve;
    diamond(y, pitch * 0.095);
  }
}

/** A hollow: lip, wall in the shade of the light from above, floor, and the light on the wall below. */
function paintPit(g: Canvas, at: Point, radius: number, mine: boolean): void {
  circle(g, { x: at.x, y: at.y + 1.6 }, radius + 1.8);
  g.fillStyle = mine ? WOOD.mineLip : "#c27a3a";
  g.fill();
  circle(g, at, radius + 0.6);
  g.fillStyle = WOOD.carve;
  g.fill();
  const floor = g.createRadialGradient(at.x, at.y + radius * 0.3, radius * 0.2, at.x, at.y, radius);
  floor.addColorStop(0, "#5a2a10");
  floor.addColorStop(0.72, WOOD.hollow);
  floor.addColorStop(1, WOOD.hollowDeep);
  circle(g, { x: at.x, y: at.y + 0.4 }, radius - 1.6);
  g.fillStyle = floor;
  g.fill();
  g.save();
  circle(g, at, radius - 1.6);
  g.clip();
  g.strokeStyle = "rgb(0 0 0 / .34)";
  g.lineWidth = radius * 0.2;
  circle(g, { x: at.x, y: at.y + radius * 0.09 }, radius);
  g.stroke();
  g.strokeStyle = "rgb(255 196 120 / .2)";
  g.lineWidth = 2;
  g.beginPath();
  g.arc(at.x, at.y, radius - 2.8, Math.PI * 0.18, Math.PI * 0.82);
  g.stroke();
  g.restore();
}

/** A bowl for caught seeds. */
export function paintBowl(g: Canvas, bowl: Box): void {
  g.fillStyle = WOOD.edge;
  roundRect(g, { ...bowl, y: bowl.y + 3 }, bowl.height / 2);
  g.fill();
  g.fillStyle = WOOD.theirs;
  roundRect(g, bowl, bowl.height / 2);
  g.fill();
  const inner = { x: bowl.x + 4, y: bowl.y + 4, width: bowl.width - 8, height: bowl.height - 8 };
  g.fillStyle = WOOD.hollow;
  roundRect(g, inner, inner.height / 2);
  g.fill();
  g.strokeStyle = "rgb(0 0 0 / .3)";
  g.lineWidth = 3;
  roundRect(g, { ...inner, y: inner.y + 1.5 }, inner.height / 2);
  g.stroke();
}

/** Number of rotations in which a seed is drawn in advance: rotating a picture in each frame costs more. */
export const TURNS = 4;

/** All pictures of seeds: by colour, then by turn. Each is a square of four seed radii. */
export function paintSeeds(radius: number, ratio: number): HTMLCanvasElement[] {
  return SEED_COLOURS.flatMap((colours) =>
    Array.from({ length: TURNS }, (_, turn) => paintSeed(radius, ratio, colours, (turn * Math.PI) / TURNS)),
  );
}

function paintSeed(
  radius: number,
  ratio: number,
  [body, shade, rim, shine]: readonly [string, string, string, string],
  turn: number,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const size = Math.ceil(radius * 4 * ratio);
  canvas.width = canvas.height = size;
  const g = canvas.getContext("2d");
  if (!g) return canvas;
  g.scale(ratio, ratio);
  const middle = radius * 2;
  const oval = (x: number, y: number, scale: number): void => {
    g.beginPath();
    g.ellipse(x, y, radius * 1.08 * scale, radius * 0.9 * scale, turn, 0, Math.PI * 2);
  };
  oval(middle, middle + radius * 0.3, 1);
  g.fillStyle = rim;
  g.fill();
  oval(middle, middle, 1);
  g.fillStyle = shade;
  g.fill();
  oval(middle - radius * 0.06, middle - radius * 0.1, 0.86);
  g.fillStyle = body;
  g.fill();
  g.beginPath();
  g.ellipse(
    middle - radius * 0.32,
    middle - radius * 0.36,
    radius * 0.26,
    radius * 0.17,
    -0.6,
    0,
    Math.PI * 2,
  );
  g.fillStyle = shine;
  g.fill();
  return canvas;
}
