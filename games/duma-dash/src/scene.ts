import { mix, type Palette, paletteAt } from "./palette";

/**
 * The savanna behind the run. Sky, sun and each ridge are layers of their own that only move (a transform), so that a frame
 * paints nothing here; their colours follow the time of day in small steps, one layer a frame.
 */

/** Units after which a ridge repeats. */
const PERIOD = 900;
const ACACIA_TRUNK = new Path2D(
  "M-5 0C-2-40-8-60-34-84l6-4C-8-76-2-66 2-52 4-70 12-82 30-92l4 5C14-72 6-50 7 0Z",
);
const ACACIA_CROWN = new Path2D(
  "M-78-84c4-20 40-26 74-28s84 4 92 28c2 6-6 8-12 6-20-8-52-6-78-6s-46-2-64 6c-6 3-14 0-12-6ZM-40-108c10-16 40-22 62-18s30 10 34 18Z",
);
/** How far below its foot a ridge is filled. */
const BELOW = 40;
const SECONDS_A_STEP = 2.5;
const MAX_LAYER_SCALE = 1.5;

type Draw = (ctx: CanvasRenderingContext2D, palette: Palette, height: number) => void;

interface Ridge {
  canvas: HTMLCanvasElement;
  ctx: CanvasRenderingContext2D | null;
  /** The ridge's speed as a fraction of the runner's. */
  depth: number;
  height: number;
  /** Units from the ground line up to the ridge's foot; the ridge is filled below it. */
  base: number;
  draw: Draw;
  /** The ridge's position, in quarters of a pixel. */
  at: number;
}

export class Scene {
  readonly element = document.createElement("div");
  private readonly sky = document.createElement("canvas");
  private readonly stars = document.createElement("canvas");
  private readonly sun = document.createElement("canvas");
  private readonly ridges: Ridge[];
  private scale = 1;
  private groundY = 0;
  private viewHeight = 0;
  private viewWidth = 0;
  private step = -1;
  private palette = paletteAt(0);
  private pending = 0;

  constructor() {
    this.element.className = "dash-scene";
    this.sky.className = "dash-sky";
    this.sky.width = 4;
    this.sky.height = 128;
    this.stars.className = "dash-layer";
    this.sun.className = "dash-layer";
    this.ridges = [
      this.ridge(0.02, 330, 220, drawClouds),
      this.ridge(0.05, 196, 26, drawMountains),
      this.ridge(0.14, 126, 22, drawHills),
      this.ridge(0.34, 156, 4, drawTrees),
      this.ridge(1, 0, 0, drawGround),
    ];
    this.element.append(this.sky, this.stars, this.sun, ...this.ridges.map((ridge) => ridge.canvas));
  }

  private ridge(depth: number, height: number, base: number, draw: Draw): Ridge {
    const canvas = document.createElement("canvas");
    canvas.className = "dash-layer";
    return { canvas, ctx: canvas.getContext("2d"), depth, height, base, draw, at: Number.NaN };
  }

  resize(width: number, height: number, scale: number, groundY: number, pixelRatio: number): void {
    this.scale = scale;
    this.groundY = groundY;
    this.viewHeight = height;
    this.viewWidth = width;
    const resolution = scale * Math.min(pixelRatio, MAX_LAYER_SCALE);
    for (const ridge of this.ridges) {
      if (ridge.draw === drawGround) ridge.height = Math.ceil(height / scale - groundY / scale) + 12;
      const units = PERIOD + width / scale + 20;
      ridge.canvas.width = Math.ceil(units * resolution);
      ridge.canvas.height = Math.ceil(ridge.height * resolution);
      ridge.canvas.style.width = `${units * scale}px`;
      ridge.canvas.style.height = `${ridge.height * scale}px`;
      const top =
        ridge.draw === drawGround ? groundY - 12 * scale : groundY - (ridge.height + ridge.base - 8) * scale;
      ridge.canvas.style.top = `${top}px`;
    }
    this.drawStars(width, groundY);
    this.drawSun(Math.min(pixelRatio, MAX_LAYER_SCALE));
    this.step = -1;
    this.setTime(0, true);
    this.move(0);
  }

  /** Sets the colours for a time of the run: in small steps, and one layer per call, so that no frame takes long. */
  setTime(seconds: number, atOnce = false): void {
    const step = Math.floor(seconds / SECONDS_A_STEP);
    if (step !== this.step) {
      this.step = step;
      this.palette = paletteAt(seconds);
      this.pending = this.ridges.length + 1;
    }
    while (this.pending > 0) {
      this.pending--;
      if (this.pending === this.ridges.length) this.drawSky(seconds);
      else this.drawRidge(this.ridges[this.pending]);
      if (!atOnce) return;
    }
  }

  /** Moves the ridges: `distance` in units. */
  move(distance: number): void {
    for (let index = 0; index < this.ridges.length; index++) {
      const ridge = this.ridges[index];
      if (!ridge) continue;
      const x = -((distance * ridge.depth) % PERIOD) * this.scale;
      // The far ridges move by less than a quarter of a pixel in most frames, which needs no new style.
      const at = Math.round(x * 4);
      if (at === ridge.at) continue;
      ridge.at = at;
      ridge.canvas.style.transform = `translate3d(${at / 4}px,0,0)`;
    }
  }

  private drawRidge(ridge: Ridge | undefined): void {
    if (!ridge?.ctx) return;
    const { ctx, canvas, height } = ridge;
    const base = ridge.draw === drawClouds ? 0 : ridge.base;
    const resolution = canvas.height / height;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.setTransform(resolution, 0, 0, resolution, 0, canvas.height);
    ctx.translate(0, -base);
    ridge.draw(ctx, this.palette, height);
    ctx.translate(PERIOD, 0);
    ridge.draw(ctx, this.palette, height);
  }

  private drawSky(seconds: number): void {
    const ctx = this.sky.getContext("2d");
    if (!ctx) return;
    const horizon = Math.min(this.groundY / Math.max(this.viewHeight, 1), 1);
    const gradient = ctx.createLinearGradient(0, 0, 0, this.sky.height);
    const [top, high, low, edge] = this.palette.sky;
    gradient.addColorStop(0, top);
    gradient.addColorStop(horizon * 0.5, high);
    gradient.addColorStop(horizon * 0.82, low);
    gradient.addColorStop(horizon * 0.97, edge);
    ctx.fillStyle = gradient;
    ctx.fillRect(0, 0, 4, this.sky.height);
    this.stars.style.opacity = this.palette.stars.toFixed(2);
    // The sun sinks until the night, then the moon rises.
    const night = seconds > 76;
    const sink = night ? Math.max(0, 1 - (seconds - 76) / 24) : Math.max(0, (seconds - 8) / 62);
    const y = this.groundY - (200 - 215 * Math.min(sink, 1.15)) * this.scale - 60 * this.scale;
    const x = this.viewWidth * (night ? 0.3 : 0.72);
    this.sun.style.transform = `translate3d(${(x - 100 * this.scale).toFixed(1)}px,${(y - 100 * this.scale).toFixed(1)}px,0)`;
    this.paintSun(night);
  }

  private drawStars(width: number, height: number): void {
    this.stars.width = Math.ceil(width);
    this.stars.height = Math.ceil(height * 0.8);
    this.stars.style.width = `${width}px`;
    this.stars.style.height = `${this.stars.height}px`;
    const ctx = this.stars.getContext("2d");
    if (!ctx) return;
    let noise = 7;
    const next = (): number => {
      noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0;
      return noise / 2 ** 32;
    };
    for (let index = 0; index < 90; index++) {
      const size = 0.6 + next() * 1.3;
      ctx.globalAlpha = 0.35 + next() * 0.65;
      ctx.fillStyle = index % 7 === 0 ? "#ffd9a8" : "#ffffff";
      ctx.beginPath();
      ctx.arc(next() * width, next() * this.stars.height, size, 0, 7);
      ctx.fill();
    }
  }

  private drawSun(pixelRatio: number): void {
    const size = 200 * this.scale;
    this.sun.width = Math.ceil(size * pixelRatio);
    this.sun.height = this.sun.width;
    this.sun.style.width = `${size}px`;
    this.sun.style.height = `${size}px`;
  }

  private paintSun(night: boolean): void {
    const ctx = this.sun.getContext("2d");
    if (!ctx) return;
    const unit = this.sun.width / 200;
    ctx.setTransform(unit, 0, 0, unit, 0, 0);
    ctx.clearRect(0, 0, 200, 200);
    ctx.fillStyle = this.palette.sun;
    ctx.globalAlpha = night ? 0.12 : 0.28;
    ctx.beginPath();
    ctx.arc(100, 100, night ? 66 : 88, 0, 7);
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(100, 100, night ? 42 : 62, 0, 7);
    ctx.fill();
    if (!night) return;
    ctx.globalAlpha = 0.14;
    ctx.fillStyle = "#3a2f7a";
    for (const [x, y, r] of [
      [86, 88, 10],
      [114, 106, 13],
      [92, 120, 7],
    ] as const) {
      ctx.beginPath();
      ctx.arc(x, y, r, 0, 7);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
  }
}

// The drawings: x from 0 to PERIOD, the lower edge at y = 0. Both ends have the same height, so that copies join.

const drawClouds: Draw = (ctx, palette) => {
  ctx.fillStyle = mix(palette.sky[2], "#ffffff", 0.55);
  ctx.globalAlpha = 0.5 - palette.stars * 0.3;
  for (const [x, y, size] of [
    [70, -236, 1.1],
    [300, -120, 0.8],
    [520, -268, 0.9],
    [640, -60, 1.2],
    [790, -180, 0.7],
  ] as const) {
    ctx.beginPath();
    ctx.ellipse(x, y, 46 * size, 13 * size, 0, 0, 7);
    ctx.ellipse(x - 18 * size, y - 10 * size, 22 * size, 16 * size, 0, 0, 7);
    ctx.ellipse(x + 12 * size, y - 14 * size, 26 * size, 20 * size, 0, 0, 7);
    ctx.fill();
  }
  ctx.globalAlpha = 1 - palette.stars;
  balloon(ctx, 410, -84);
  ctx.globalAlpha = 1;
};

/** A balloon over the Mara, by day. */
function balloon(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.fillStyle = "#ff6b5e";
  ctx.beginPath();
  ctx.moveTo(-7, 34);
  ctx.bezierCurveTo(-30, 14, -32, -30, 0, -32);
  ctx.bezierCurveTo(32, -30, 30, 14, 7, 34);
  ctx.fill();
  ctx.fillStyle = "#ffb224";
  ctx.beginPath();
  ctx.moveTo(-4, 34);
  ctx.bezierCurveTo(-15, 12, -15, -28, 0, -32);
  ctx.bezierCurveTo(15, -28, 15, 12, 4, 34);
  ctx.fill();
  ctx.fillStyle = "#fff1d6";
  ctx.beginPath();
  for (let at = -21; at <= 14; at += 7) {
    ctx.moveTo(at, -4);
    ctx.lineTo(at + 3.5, -9);
    ctx.lineTo(at + 7, -4);
    ctx.lineTo(at + 3.5, 1);
  }
  ctx.fill();
  ctx.fillStyle = "#6a3b1e";
  ctx.fillRect(-5, 40, 10, 8);
  ctx.strokeStyle = "#6a3b1e";
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(-6, 33);
  ctx.lineTo(-4, 41);
  ctx.moveTo(6, 33);
  ctx.lineTo(4, 41);
  ctx.stroke();
  ctx.restore();
}

const drawMountains: Draw = (ctx, palette) => {
  ctx.fillStyle = palette.far;
  ctx.beginPath();
  ctx.moveTo(0, BELOW);
  ctx.lineTo(0, -60);
  ctx.bezierCurveTo(60, -70, 110, -92, 160, -128);
  ctx.lineTo(196, -152);
  ctx.bezierCurveTo(214, -158, 234, -156, 250, -150);
  ctx.bezierCurveTo(290, -118, 330, -84, 400, -70);
  ctx.bezierCurveTo(470, -60, 520, -96, 570, -98);
  ctx.bezierCurveTo(640, -100, 690, -62, 760, -60);
  ctx.bezierCurveTo(820, -58, 860, -62, PERIOD, -60);
  ctx.lineTo(PERIOD + 1, -60);
  ctx.lineTo(PERIOD + 1, BELOW);
  ctx.fill();
  ctx.fillStyle = palette.snow;
  ctx.globalAlpha = 0.8;
  ctx.beginPath();
  ctx.moveTo(172, -136);
  ctx.lineTo(196, -152);
  ctx.bezierCurveTo(214, -158, 234, -156, 250, -150);
  ctx.lineTo(268, -136);
  ctx.lineTo(252, -140);
  ctx.lineTo(242, -128);
  ctx.lineTo(228, -140);
  ctx.lineTo(214, -130);
  ctx.lineTo(202, -140);
  ctx.lineTo(188, -132);
  ctx.fill();
  ctx.globalAlpha = 1;
};

const drawHills: Draw = (ctx, palette) => {
  ctx.fillStyle = palette.mid;
  ctx.beginPath();
  ctx.moveTo(0, BELOW);
  ctx.lineTo(0, -40);
  ctx.bezierCurveTo(90, -72, 180, -64, 270, -42);
  ctx.bezierCurveTo(360, -24, 430, -74, 540, -60);
  ctx.bezierCurveTo(640, -46, 700, -30, 770, -44);
  ctx.bezierCurveTo(820, -54, 860, -52, PERIOD, -40);
  ctx.lineTo(PERIOD + 1, -40);
  ctx.lineTo(PERIOD + 1, BELOW);
  ctx.fill();
  acacia(ctx, palette.mid, 110, -56, 0.32);
  acacia(ctx, palette.mid, 330, -40, 0.26);
  acacia(ctx, palette.mid, 590, -54, 0.36);
  acacia(ctx, palette.mid, 800, -48, 0.28);
};

const drawTrees: Draw = (ctx, palette) => {
  ctx.fillStyle = palette.near;
  ctx.beginPath();
  ctx.moveTo(0, BELOW);
  ctx.lineTo(0, -18);
  ctx.bezierCurveTo(140, -34, 230, -10, 360, -20);
  ctx.bezierCurveTo(500, -30, 620, -8, 740, -20);
  ctx.bezierCurveTo(800, -26, 850, -22, PERIOD, -18);
  ctx.lineTo(PERIOD + 1, -18);
  ctx.lineTo(PERIOD + 1, BELOW);
  ctx.fill();
  acacia(ctx, palette.near, 150, -20, 0.92);
  acacia(ctx, palette.near, 420, -18, 0.58);
  acacia(ctx, palette.near, 690, -16, 1.04);
  for (const [x, size] of [
    [40, 1],
    [290, 0.8],
    [330, 1.2],
    [545, 1],
    [850, 1.1],
  ] as const) {
    ctx.beginPath();
    ctx.ellipse(x, -20, 26 * size, 14 * size, 0, 0, 7);
    ctx.ellipse(x + 20 * size, -18, 20 * size, 10 * size, 0, 0, 7);
    ctx.fill();
  }
};

const drawGround: Draw = (ctx, palette, height) => {
  ctx.fillStyle = palette.soil;
  ctx.fillRect(0, -height + 12, PERIOD + 1, height);
  const top = -height + 12;
  // Bands of darker earth give the thumb's half of the screen some depth.
  ctx.fillStyle = palette.soilDark;
  ctx.beginPath();
  ctx.moveTo(0, top + 70);
  ctx.bezierCurveTo(150, top + 56, 300, top + 84, 450, top + 70);
  ctx.bezierCurveTo(600, top + 56, 750, top + 84, PERIOD, top + 70);
  ctx.lineTo(PERIOD + 1, top + 70);
  ctx.lineTo(PERIOD + 1, 0);
  ctx.lineTo(0, 0);
  ctx.fill();
  ctx.globalAlpha = 0.22;
  ctx.fillStyle = "#000000";
  ctx.beginPath();
  ctx.moveTo(0, top + 150);
  ctx.bezierCurveTo(200, top + 128, 380, top + 168, 450, top + 150);
  ctx.bezierCurveTo(560, top + 126, 760, top + 170, PERIOD, top + 150);
  ctx.lineTo(PERIOD + 1, top + 150);
  ctx.lineTo(PERIOD + 1, 0);
  ctx.lineTo(0, 0);
  ctx.fill();
  ctx.globalAlpha = 0.16;
  ctx.fillStyle = "#ffffff";
  for (const [x, y, width] of [
    [30, 26, 70],
    [190, 44, 110],
    [390, 22, 60],
    [520, 50, 90],
    [680, 30, 120],
    [830, 46, 50],
  ] as const) {
    ctx.beginPath();
    ctx.ellipse(x + width / 2, top + y, width / 2, 3.2, 0, 0, 7);
    ctx.fill();
  }
  ctx.fillStyle = "#000000";
  ctx.globalAlpha = 0.14;
  for (const [x, y, size] of [
    [120, 100, 16],
    [340, 130, 22],
    [560, 96, 14],
    [720, 126, 18],
    [860, 104, 12],
  ] as const) {
    ctx.beginPath();
    ctx.ellipse(x, top + y, size, size * 0.4, 0, 0, 7);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.grass;
  ctx.fillRect(0, top - 1, PERIOD + 1, 9);
  ctx.beginPath();
  for (let x = 12; x < PERIOD - 12; x += 58) {
    const sway = (x * 7) % 23;
    ctx.moveTo(x + sway, top);
    ctx.lineTo(x + sway + 4, top - 9);
    ctx.lineTo(x + sway + 8, top);
    ctx.lineTo(x + sway + 13, top - 6);
    ctx.lineTo(x + sway + 16, top);
  }
  ctx.fill();
};

function acacia(ctx: CanvasRenderingContext2D, color: string, x: number, y: number, size: number): void {
  ctx.save();
  ctx.fillStyle = color;
  ctx.translate(x, y + 4);
  ctx.scale(size, size);
  ctx.fill(ACACIA_TRUNK);
  ctx.fill(ACACIA_CROWN);
  ctx.restore();
}
