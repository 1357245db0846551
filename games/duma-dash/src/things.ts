/** Obstacles, fruit and small effects as pictures that are drawn once at the screen's own resolution. */

export type Picture = HTMLCanvasElement;

/** Draws into a new canvas of so many units, with the origin at its bottom middle. */
export function picture(
  width: number,
  height: number,
  scale: number,
  draw: (ctx: CanvasRenderingContext2D) => void,
): Picture {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const ctx = canvas.getContext("2d");
  if (ctx) {
    ctx.scale(scale, scale);
    ctx.translate(width / 2, height);
    draw(ctx);
  }
  return canvas;
}

function fill(ctx: CanvasRenderingContext2D, color: string, path: string): void {
  ctx.fillStyle = color;
  ctx.fill(new Path2D(path));
}

function line(ctx: CanvasRenderingContext2D, color: string, width: number, path: string): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  ctx.stroke(new Path2D(path));
}

function disc(ctx: CanvasRenderingContext2D, color: string, x: number, y: number, rx: number, ry = rx): void {
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.ellipse(x, y, rx, ry, 0, 0, 7);
  ctx.fill();
}

/** A termite mound, 48 wide and 46 high. */
export function mound(ctx: CanvasRenderingContext2D): void {
  fill(ctx, "#C8612F", "M-25 2C-20-12-18-24-13-38-10-47-2-46 0-38 4-46 12-42 13-34 16-20 20-8 25 2Z");
  fill(ctx, "#8A3A1E", "M2 2C6-12 9-22 12-36 16-20 20-8 25 2Z");
  line(ctx, "#F0925A", 3, "M-18-10C-15-20-13-28-10-37");
  disc(ctx, "#5E2412", -5, -14, 3, 4);
  disc(ctx, "#5E2412", 4, -25, 2.4, 3.2);
}

/** A tall mound, 56 wide and 94 high. */
export function tallMound(ctx: CanvasRenderingContext2D): void {
  fill(
    ctx,
    "#C8612F",
    "M-28 2C-24-18-22-44-17-72-15-86-6-88-3-76 0-98 13-98 15-80 17-64 16-56 18-50 22-34 24-16 28 2Z",
  );
  fill(ctx, "#8A3A1E", "M4 2C7-22 8-52 13-86 16-70 16-58 18-50 22-34 24-16 28 2Z");
  line(ctx, "#F0925A", 3.5, "M-20-16C-18-36-16-54-13-74");
  disc(ctx, "#5E2412", -7, -24, 3.4, 4.6);
  disc(ctx, "#5E2412", 2, -46, 3, 4);
  disc(ctx, "#5E2412", -5, -62, 2.4, 3.2);
}

/** A fallen trunk, 120 wide and 42 high. */
export function log(ctx: CanvasRenderingContext2D): void {
  line(ctx, "#6B3F22", 7, "M-20-24C-24-34-30-38-36-40M26-26C30-36 36-38 40-44");
  disc(ctx, "#4F9A45", -38, -41, 8, 5);
  disc(ctx, "#6DBB55", 41, -43, 8, 5);
  ctx.fillStyle = "#7A4A28";
  box(ctx, -56, -33, 108, 35, 17);
  line(ctx, "#A56A3A", 4, "M-40-26H20M-30-17H-6M10-15H30");
  line(ctx, "#5A341B", 3.5, "M-44-8H-14M0-6H34");
  disc(ctx, "#E8BE82", 44, -16, 13, 17.5);
  line(ctx, "#A56A3A", 2.5, "M44-26C50-26 51-6 44-6 38-6 38-22 43-22 47-22 47-11 44-11");
}

/** A tall acacia with weaver birds' nests on lianas, 200 by 290; the nests' lowest point is the origin, the ground 46 below. */
export function nests(ctx: CanvasRenderingContext2D): void {
  ctx.globalAlpha = 0.4;
  fill(ctx, "#3A2140", "M30-236C44-170 46-80 40 46H54C60-80 58-170 44-236Z");
  ctx.globalAlpha = 1;
  line(ctx, "#3E6B34", 4, "M-24-236V-60M1-236V-60M24-236V-54");
  for (let y = -84; y > -230; y -= 44) {
    disc(ctx, "#4F8A3D", -30, y, 8, 4.5);
    disc(ctx, "#6DAA4E", 8, y - 16, 8, 4.5);
    disc(ctx, "#4F8A3D", 31, y - 30, 8, 4.5);
  }
  fill(
    ctx,
    "#2F6B3A",
    "M-96-226C-92-250-52-262-8-264 46-266 88-252 96-228 98-218 88-216 78-218 48-228 14-226-10-226-42-226-62-222-80-216-90-212-98-216-96-226Z",
  );
  fill(ctx, "#4F9A45", "M-66-246C-50-266-14-274 22-270 52-268 72-258 78-246 46-254-26-256-66-246Z");
  nest(ctx, -24, -36, 1);
  nest(ctx, 24, -28, 0.9);
  nest(ctx, 1, -26, 1.1);
}

function nest(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  fill(ctx, "#E3B04B", "M0-38C4-30 20-22 21 0 22 16 12 24 0 24S-22 16-21 0C-20-22-4-30 0-38Z");
  fill(ctx, "#B87E2A", "M6-28C16-20 21-10 21 0 22 16 12 24 0 24 12 14 16-4 6-28Z");
  line(ctx, "#FFE0A0", 2.5, "M-14-6C-12-14-8-20-4-24M-15 8C-10 12-6 13 0 13");
  line(ctx, "#9A6620", 2.5, "M-8-12C0-8 8-8 14-12M-12 2C-2 6 8 6 16 2");
  disc(ctx, "#4A2A0E", -2, 10, 7, 8);
  ctx.restore();
}

/** A hornbill that flies to the left, 74 by 60; `wing` is up (1) or down (-1), around the body's middle. */
export function bird(ctx: CanvasRenderingContext2D, wing: number): void {
  ctx.translate(0, -30);
  // A pale rim keeps the bird visible at night.
  disc(ctx, "#E4DCFF", 2, 2, 22, 13);
  disc(ctx, "#E4DCFF", -17, -4, 12, 11.5);
  fill(ctx, "#E4DCFF", "M12-6C26-11 36-6 40 6 30 9 20 10 12 10Z");
  fill(ctx, "#2A2440", "M12-4C24-8 32-4 36 4 28 6 20 8 12 8Z");
  disc(ctx, "#4A4080", 2, 2, 20, 11);
  disc(ctx, "#F7F3FC", 2, 8, 13, 5.5);
  disc(ctx, "#4A4080", -17, -4, 10, 9.5);
  fill(ctx, "#FFB224", "M-24-9C-34-10-38-4-37 4-33 0-27 1-23 1Z");
  fill(ctx, "#FF6B5E", "M-24-9C-28-17-18-17-15-12Z");
  disc(ctx, "#fff", -18, -6, 3.6);
  disc(ctx, "#1B1426", -19, -6, 1.9);
  fill(
    ctx,
    "#6A5FA0",
    wing > 0 ? "M-6-2C-4-22 8-30 20-28 16-16 14-8 12 0Z" : "M-6 0C-6 16 4 27 18 28 14 16 14 8 12 0Z",
  );
  fill(
    ctx,
    "#8F84C6",
    wing > 0 ? "M-4-3C-2-15 5-22 13-23 9-15 6-8 5-2Z" : "M-4 1C-3 12 3 20 12 22 8 14 6 8 5 1Z",
  );
}

/** A water hole, drawn `width` wide at the ground, 40 deep below the origin's line at -40. */
export function water(ctx: CanvasRenderingContext2D, width: number): void {
  const half = width / 2;
  ctx.translate(0, -34);
  disc(ctx, "#0E3A5C", 0, 4, half, 22);
  disc(ctx, "#1E6FA8", 0, 6, half - 5, 18);
  disc(ctx, "#3F9BD6", -half * 0.2, 3, half * 0.6, 8);
  line(ctx, "#BFE6FF", 3, `M${-half * 0.6} 6H${-half * 0.3}M${half * 0.3} 13H${half * 0.55}`);
  // A crocodile looks out.
  disc(ctx, "#5E9A4A", half * 0.2, 1, 14, 7);
  disc(ctx, "#5E9A4A", half * 0.2 - 7, -6, 6, 6);
  disc(ctx, "#5E9A4A", half * 0.2 + 7, -6, 6, 6);
  disc(ctx, "#FFE08A", half * 0.2 - 7, -7, 3.4);
  disc(ctx, "#FFE08A", half * 0.2 + 7, -7, 3.4);
  disc(ctx, "#1B1426", half * 0.2 - 8, -7, 1.7);
  disc(ctx, "#1B1426", half * 0.2 + 6, -7, 1.7);
}

/** A mango, 26 by 28. */
export function mango(ctx: CanvasRenderingContext2D): void {
  ctx.translate(0, -13);
  disc(ctx, "rgb(255 246 228 / 35%)", 0, 0, 13);
  fill(ctx, "#FFB224", "M-9 2C-10-7-3-10 3-9 10-8 11 0 8 6 5 12-8 12-9 2Z");
  fill(ctx, "#FF6B5E", "M6-8C11-5 11 1 8 6 5 10 0 10-4 9 4 7 8 0 6-8Z");
  disc(ctx, "#FFE6AE", -4, -2, 2.4, 3);
  fill(ctx, "#3DBB6A", "M1-9C2-15 9-15 11-12 8-8 4-8 1-9Z");
}

export function puff(ctx: CanvasRenderingContext2D): void {
  disc(ctx, "rgb(255 236 205 / 80%)", 0, -8, 8);
  disc(ctx, "rgb(255 250 240 / 70%)", -2, -10, 4.5);
}

export function spark(ctx: CanvasRenderingContext2D): void {
  fill(ctx, "#FFF6E4", "M0-16 2.500-10.500 8-8 2.500-5.500 0 0-2.500-5.500-8-8-2.500-10.500Z");
}

/** The paper label of a near miss. */
export function label(text: string, scale: number): Picture {
  const probe = document.createElement("canvas").getContext("2d");
  const font = '800 19px "Outfit Variable", "Outfit", system-ui, sans-serif';
  let width = 150;
  if (probe) {
    probe.font = font;
    width = probe.measureText(text).width + 30;
  }
  return picture(width + 8, 52, scale, (ctx) => {
    ctx.translate(0, -26);
    ctx.rotate(-0.07);
    ctx.fillStyle = "#D9C69C";
    plate(ctx, width, 3);
    ctx.fillStyle = "#FFF6E4";
    plate(ctx, width, 0);
    ctx.fillStyle = "#1B1426";
    ctx.font = font;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, 0, 1);
  });
}

function plate(ctx: CanvasRenderingContext2D, width: number, drop: number): void {
  box(ctx, -width / 2, -18 + drop, width, 36, 13);
}

/** A filled box with round corners, for phones whose canvas has no `roundRect` too. */
function box(ctx: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, r: number): void {
  ctx.beginPath();
  ctx.moveTo(x + r, y);
  ctx.arcTo(x + w, y, x + w, y + h, r);
  ctx.arcTo(x + w, y + h, x, y + h, r);
  ctx.arcTo(x, y + h, x, y, r);
  ctx.arcTo(x, y, x + w, y, r);
  ctx.fill();
}
