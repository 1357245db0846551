import type { World } from "./types";

export interface ShareCard {
  world: World;
  /** The game's title. */
  title: string;
  ribbon: string;
  /** Whether the ribbon celebrates a new best. */
  isBest: boolean;
  points: string;
  /** The place on the board, if there is one. */
  place: string | null;
  mascot: HTMLImageElement | null;
  /** The name of the site on which the game is played. */
  site: string;
}

/** The size of a picture that messengers show whole, in pixels. */
const WIDTH = 1080;
const HEIGHT = 1350;
const MIDDLE = WIDTH / 2;
const FONT = '"Outfit Variable", system-ui, sans-serif';
const PAPER = "#fff6e4";
const MANGO = "#ffb224";
const NIGHT = "#1b1426";

/** Draws a result as a picture to send to friends. Returns null where the browser cannot. */
export async function drawShareCard(card: ShareCard): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const ctx = canvas.getContext("2d");
  if (!ctx) return null;
  await drawWorld(ctx, card.world);
  if (card.mascot?.naturalWidth) ctx.drawImage(card.mascot, MIDDLE - 280, 90, 560, 560);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  drawRibbon(ctx, card.ribbon, card.isBest ? MANGO : PAPER);
  ctx.fillStyle = "#fff";
  write(ctx, card.points, 885, 260);
  if (card.place) write(ctx, card.place, 1040, 60);
  write(ctx, card.title, 1160, 80);
  ctx.globalAlpha = 0.85;
  write(ctx, card.site, 1260, 44);
  // `toBlob` waits for an idle moment of the page, and the share sheet has to open soon after the tap.
  const [, base64] = canvas.toDataURL("image/jpeg", 0.9).split(",");
  if (!base64) return null;
  return new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], { type: "image/jpeg" });
}

async function drawWorld(ctx: CanvasRenderingContext2D, { hue, deep, edge, texture }: World): Promise<void> {
  const ground = ctx.createLinearGradient(0, 0, 0, HEIGHT);
  ground.addColorStop(0, deep);
  ground.addColorStop(1, edge);
  fill(ctx, ground);
  const light = ctx.createRadialGradient(MIDDLE, 380, 0, MIDDLE, 380, 760);
  light.addColorStop(0, hue);
  light.addColorStop(1, `${hue}00`);
  fill(ctx, light);
  const image = new Image();
  // The texture is a CSS value: url("…").
  image.src = texture.slice('url("'.length, -'")'.length);
  await image.decode().catch(() => {});
  const pattern = image.naturalWidth > 0 ? ctx.createPattern(image, "repeat") : null;
  if (!pattern) return;
  ctx.save();
  ctx.globalAlpha = 0.06;
  // The texture is made for a screen of a third of the picture's width.
  ctx.scale(3, 3);
  fill(ctx, pattern);
  ctx.restore();
}

function fill(ctx: CanvasRenderingContext2D, style: CanvasGradient | CanvasPattern): void {
  ctx.fillStyle = style;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
}

function drawRibbon(ctx: CanvasRenderingContext2D, text: string, colour: string): void {
  ctx.save();
  ctx.translate(MIDDLE, 680);
  ctx.rotate((-3 * Math.PI) / 180);
  const width = fit(ctx, text, 56) + 60;
  // The stroke makes the corners round: older browsers have no `roundRect`.
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineJoin = "round";
  ctx.lineWidth = 44;
  ctx.strokeRect(-width / 2, -36, width, 72);
  ctx.fillRect(-width / 2, -36, width, 72);
  ctx.fillStyle = NIGHT;
  ctx.fillText(text, 0, 4);
  ctx.restore();
}

/** Writes a line in the middle of the picture. `size` is in pixels. */
function write(ctx: CanvasRenderingContext2D, text: string, y: number, size: number): void {
  fit(ctx, text, size);
  ctx.fillText(text, MIDDLE, y);
}

/** Sets the font of a line, smaller if it would be too wide. Returns the line's width. */
function fit(ctx: CanvasRenderingContext2D, text: string, size: number): number {
  ctx.font = `800 ${size}px ${FONT}`;
  const { width } = ctx.measureText(text);
  const most = WIDTH - 180;
  if (width <= most) return width;
  ctx.font = `800 ${Math.floor((size * most) / width)}px ${FONT}`;
  return most;
}
