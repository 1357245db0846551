/**
 * The cheetah, drawn in the flat shapes of PlayOn's character and kept as pictures: a gallop of ten, and one for each other
 * pose. Coordinates are those of the character's art (240 by 240, feet at y = 205, middle of the body at x = 112).
 */
const MANGO = "#FFB224";
const SHADE = "#E8920F";
const NIGHT = "#1B1426";
const CREAM = "#FFF1D6";
const CORAL = "#FF6B5E";
const DEEP_CORAL = "#D94A40";

const BODY = new Path2D(
  "M46 154C46 130 76 124 104 128 134 120 168 126 168 156 168 182 144 188 116 184 98 182 88 188 70 187 54 186 46 172 46 154Z",
);
const SCARF_TAIL = new Path2D(
  "M132 122C110 104 96 118 72 98 78 112 74 118 64 122 90 132 110 124 130 140ZM132 126C112 120 100 130 84 126 104 136 118 132 132 140Z",
);
const SCARF = new Path2D("M128 124C130 140 142 152 162 153");
const STITCH = new Path2D("M80 108l8 6 4-4 9 8 4-5 9 9 4-5 6 8M132 135l7 1 0 8 9-2 3 9 9-3");
const HEAD = new Path2D("M0-54C35-54 57-38 61-10 66 26 42 52 0 52S-66 26-61-10C-57-38-35-54 0-54Z");
const TUFT = new Path2D(
  "M-17-50C-16-60-11-66-5-69-5-64-4-61-2-59 1-65 7-69 13-69 11-64 12-60 14-57 17-59 20-59 23-59 19-56 17-53 17-49Z",
);
const TEARS = new Path2D(
  "M-20-2C-20 8-20 14-25 20-31 26-34 31-32 38-31 41-27 40-27 37-27 32-24 28-20 24-13 16-12 8-14-2-15-5-20-5-20-2ZM20-2C20 8 20 14 25 20 31 26 34 31 32 38 31 41 27 40 27 37 27 32 24 28 20 24 13 16 12 8 14-2 15-5 20-5 20-2Z",
);
const NOSE = new Path2D("M-10 11C-10 7 10 7 10 11S4 21 0 21-10 15-10 11Z");
const MOUTH = new Path2D("M-16 26H16C17 38 9 46 0 46S-17 38-16 26Z");
const TONGUE = new Path2D("M-9 41C-7 35 7 35 9 41 6 45-6 45-9 41Z");
const SMALL_MOUTH = new Path2D("M-11 33C-5 26 5 26 11 33");
const HAPPY_EYES = new Path2D("M-37-3C-33-15-20-15-16-3M16-3C20-15 33-15 37-3");
const DIZZY_EYES = new Path2D("M-34-14l16 16M-18-14l-16 16M18-14l16 16M34-14l-16 16");

const SPOTS: readonly (readonly [number, number, number, number])[] = [
  [66, 146, 4.4, 3.6],
  [84, 140, 4.4, 3.6],
  [78, 158, 4.4, 3.6],
  [98, 152, 4.4, 3.6],
  [58, 162, 3.6, 3.6],
  [102, 138, 4, 3.2],
];

export interface Pose {
  /** The feet relative to their hips: far hind, far fore, hind, fore, as x and y each. */
  feet: readonly [number, number, number, number, number, number, number, number];
  pitch: number;
  lift: number;
  tail: number;
  scarf: number;
  head: readonly [number, number, number];
  face: "run" | "happy" | "slide" | "dizzy";
}

/** Returns the pose of the gallop, `phase` from 0 to 1: gathered under the body, then stretched. */
export function gallop(phase: number): Pose {
  const turn = phase * Math.PI * 2;
  const hind = (lag: number): [number, number] => {
    const angle = turn - lag;
    return [-8 - 40 * Math.cos(angle), 37 - 15 * Math.max(0, Math.sin(angle))];
  };
  const fore = (lag: number): [number, number] => {
    const angle = turn - lag;
    return [14 + 46 * Math.cos(angle), 36 - 16 * Math.max(0, -Math.sin(angle))];
  };
  const bounce = Math.sin(turn);
  return {
    feet: [...hind(0.75), ...fore(-0.6), ...hind(0), ...fore(0)],
    pitch: 0.06 * Math.cos(turn + 0.8),
    lift: 7 * Math.max(0, Math.cos(turn)) + 2 * bounce,
    tail: 14 * Math.sin(turn + 1.2),
    scarf: 0.12 * Math.sin(turn * 2),
    head: [168, 92 + 4 * Math.sin(turn + 0.7), 0.08 + 0.04 * Math.cos(turn)],
    face: "run",
  };
}

export const RISING: Pose = {
  feet: [-44, 30, 40, 6, -36, 36, 48, 14],
  pitch: -0.24,
  lift: 0,
  tail: 20,
  scarf: 0.2,
  head: [166, 90, 0.02],
  face: "happy",
};
export const FALLING: Pose = {
  feet: [-30, 14, 34, 36, -22, 22, 42, 38],
  pitch: 0.16,
  lift: 0,
  tail: -24,
  scarf: -0.2,
  head: [168, 92, 0.06],
  face: "run",
};
export const TUCKED: Pose = {
  feet: [16, 22, -16, 24, 22, 26, -20, 28],
  pitch: 0,
  lift: 0,
  tail: 30,
  scarf: 0.3,
  head: [160, 100, 0.1],
  face: "happy",
};
export const SLIDING: Pose = {
  feet: [-50, 16, 62, 18, -44, 22, 56, 24],
  pitch: -0.08,
  lift: -16,
  tail: -10,
  scarf: -0.12,
  head: [172, 116, 0.12],
  face: "slide",
};
export const HURT: Pose = {
  feet: [-22, 30, 30, 26, 14, 36, 52, 30],
  pitch: 0.2,
  lift: 0,
  tail: 34,
  scarf: 0.4,
  head: [168, 102, 0.26],
  face: "dizzy",
};

function stroke(ctx: CanvasRenderingContext2D, color: string, width: number): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
}

function leg(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  dx: number,
  dy: number,
  near: boolean,
): void {
  stroke(ctx, near ? MANGO : SHADE, near ? 23 : 21);
  ctx.beginPath();
  ctx.moveTo(x, y);
  // The knee bends to the side opposite to the leg.
  ctx.quadraticCurveTo(x + dx * 0.25 - (dx > 0 ? -6 : 6), y + dy * 0.9, x + dx, y + dy);
  ctx.stroke();
  if (!near) return;
  stroke(ctx, NIGHT, 3.5);
  const toe = dx > 0 ? 3 : -3;
  ctx.beginPath();
  ctx.moveTo(x + dx + toe, y + dy - 4);
  ctx.lineTo(x + dx + toe * 3, y + dy - 4.5);
  ctx.moveTo(x + dx + toe, y + dy + 3);
  ctx.lineTo(x + dx + toe * 3, y + dy + 3);
  ctx.stroke();
}

/** Draws the cheetah in a pose. The ghost is the same shape in one pale tone (the caller sets alpha). */
export function drawDuma(ctx: CanvasRenderingContext2D, pose: Pose): void {
  ctx.save();
  ctx.translate(112, 190);
  ctx.rotate(pose.pitch);
  ctx.translate(-112, -190 - pose.lift);
  const f = pose.feet;
  stroke(ctx, MANGO, 17);
  ctx.beginPath();
  ctx.moveTo(56, 146);
  ctx.bezierCurveTo(34, 142 + pose.tail * 0.2, 34, 116 - pose.tail, 10, 112 - pose.tail * 0.7);
  ctx.stroke();
  stroke(ctx, NIGHT, 4.5);
  ctx.beginPath();
  ctx.moveTo(18, 106 - pose.tail * 0.75);
  ctx.lineTo(18, 117 - pose.tail * 0.75);
  ctx.moveTo(31, 116 - pose.tail * 0.5);
  ctx.lineTo(25, 125 - pose.tail * 0.5);
  ctx.stroke();
  leg(ctx, 70, 160, f[0], f[1], false);
  leg(ctx, 156, 160, f[2], f[3], false);
  ctx.fillStyle = MANGO;
  ctx.fill(BODY);
  ctx.fillStyle = CREAM;
  ctx.beginPath();
  ctx.ellipse(116, 173, 25, 6.5, 0, 0, 7);
  ctx.fill();
  leg(ctx, 70, 166, f[4], f[5], true);
  leg(ctx, 146, 166, f[6], f[7], true);
  ctx.fillStyle = NIGHT;
  for (const [x, y, rx, ry] of SPOTS) {
    ctx.beginPath();
    ctx.ellipse(x, y, rx, ry, 0, 0, 7);
    ctx.fill();
  }
  ctx.save();
  ctx.translate(130, 130);
  ctx.rotate(pose.scarf);
  ctx.translate(-130, -130);
  ctx.fillStyle = CORAL;
  ctx.fill(SCARF_TAIL);
  ctx.restore();
  stroke(ctx, CORAL, 17);
  ctx.stroke(SCARF);
  stroke(ctx, CREAM, 2.8);
  ctx.stroke(STITCH);
  ctx.translate(pose.head[0], pose.head[1]);
  ctx.rotate(pose.head[2]);
  ctx.scale(0.94, 0.94);
  drawHead(ctx, pose.face);
  ctx.restore();
}

function circles(ctx: CanvasRenderingContext2D, color: string, shapes: readonly number[]): void {
  ctx.fillStyle = color;
  for (let at = 0; at < shapes.length; at += 4) {
    ctx.beginPath();
    ctx.ellipse(shapes[at] ?? 0, shapes[at + 1] ?? 0, shapes[at + 2] ?? 0, shapes[at + 3] ?? 0, 0, 0, 7);
    ctx.fill();
  }
}

function drawHead(ctx: CanvasRenderingContext2D, face: Pose["face"]): void {
  circles(ctx, MANGO, [-46, -41, 19, 19, 46, -41, 19, 19]);
  circles(ctx, CORAL, [-47, -43, 10, 10, 47, -43, 10, 10]);
  ctx.fillStyle = MANGO;
  ctx.fill(HEAD);
  ctx.fill(TUFT);
  circles(ctx, NIGHT, [0, -40, 4, 5.5, -14, -35, 3.6, 4.8, 14, -35, 3.6, 4.8, -51, 8, 4, 3.4, 51, 8, 4, 3.4]);
  ctx.translate(8, 0);
  circles(ctx, CREAM, [-27, -8, 16, 18, 27, -8, 16, 18, 0, 26, 35, 23]);
  ctx.fillStyle = NIGHT;
  ctx.fill(TEARS);
  if (face === "dizzy") {
    stroke(ctx, NIGHT, 6);
    ctx.stroke(DIZZY_EYES);
  } else if (face === "happy") {
    stroke(ctx, NIGHT, 6);
    ctx.stroke(HAPPY_EYES);
  } else {
    const lid = face === "slide" ? 8 : 12.5;
    circles(ctx, NIGHT, [-26, -6, 10.5, lid, 26, -6, 10.5, lid]);
    circles(ctx, "#fff", [-22.5, -9.5, 4, 4, 29.5, -9.5, 4, 4]);
  }
  ctx.fillStyle = CORAL;
  ctx.fill(NOSE);
  if (face === "dizzy" || face === "slide") {
    stroke(ctx, NIGHT, 5);
    ctx.stroke(SMALL_MOUTH);
  } else {
    ctx.fillStyle = NIGHT;
    ctx.fill(MOUTH);
    ctx.fillStyle = DEEP_CORAL;
    ctx.fill(TONGUE);
  }
}
