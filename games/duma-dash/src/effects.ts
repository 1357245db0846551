import { label, type Picture, picture, puff, spark } from "./things";

/** Dust, sparks and labels: fixed pools, so that a frame allocates nothing. Positions are screen units. */
const PARTICLES = 64;
const LABELS = 4;
const DUST = 0;
const SPARK = 1;

export class Effects {
  private readonly x = new Float32Array(PARTICLES);
  private readonly y = new Float32Array(PARTICLES);
  private readonly vx = new Float32Array(PARTICLES);
  private readonly vy = new Float32Array(PARTICLES);
  private readonly life = new Float32Array(PARTICLES);
  private readonly span = new Float32Array(PARTICLES);
  private readonly size = new Float32Array(PARTICLES);
  private readonly kind = new Uint8Array(PARTICLES);
  private next = 0;

  private readonly labelX = new Float32Array(LABELS);
  private readonly labelY = new Float32Array(LABELS);
  private readonly labelLife = new Float32Array(LABELS);
  private readonly labelPicture: (Picture | null)[] = [null, null, null, null];
  private nextLabel = 0;

  private puffPicture: Picture | null = null;
  private sparkPicture: Picture | null = null;
  private labels = new Map<string, Picture>();
  private scale = 1;

  resize(scale: number): void {
    this.scale = scale;
    this.puffPicture = picture(20, 20, scale, puff);
    this.sparkPicture = picture(20, 20, scale, spark);
    this.labels.clear();
  }

  /** Draws a label in advance, outside of play. */
  prepare(text: string): void {
    if (!this.labels.has(text)) this.labels.set(text, label(text, this.scale));
  }

  clear(): void {
    this.life.fill(0);
    this.labelLife.fill(0);
  }

  private add(
    kind: number,
    x: number,
    y: number,
    vx: number,
    vy: number,
    seconds: number,
    size: number,
  ): void {
    const at = this.next;
    this.next = (at + 1) % PARTICLES;
    this.kind[at] = kind;
    this.x[at] = x;
    this.y[at] = y;
    this.vx[at] = vx;
    this.vy[at] = vy;
    this.life[at] = seconds;
    this.span[at] = seconds;
    this.size[at] = size;
  }

  dust(x: number, y: number, count: number, speed: number): void {
    for (let index = 0; index < count; index++)
      this.add(
        DUST,
        x + (Math.random() - 0.5) * 26,
        y,
        -speed * (0.3 + Math.random() * 0.5),
        -20 - Math.random() * 60,
        0.3 + Math.random() * 0.25,
        0.5 + Math.random() * 0.8,
      );
  }

  sparks(x: number, y: number, count: number, force: number): void {
    for (let index = 0; index < count; index++) {
      const angle = (index / count) * Math.PI * 2 + Math.random();
      const speed = force * (0.5 + Math.random() * 0.5);
      this.add(
        SPARK,
        x,
        y,
        Math.cos(angle) * speed,
        Math.sin(angle) * speed,
        0.35 + Math.random() * 0.2,
        0.5 + Math.random() * 0.6,
      );
    }
  }

  say(text: string, x: number, y: number): void {
    this.prepare(text);
    const at = this.nextLabel;
    this.nextLabel = (at + 1) % LABELS;
    this.labelPicture[at] = this.labels.get(text) ?? null;
    this.labelX[at] = x;
    this.labelY[at] = y;
    this.labelLife[at] = 0.95;
  }

  /** Moves and draws all effects. `scroll` is how far the world moved to the left in this frame. */
  draw(ctx: CanvasRenderingContext2D, seconds: number, scroll: number): void {
    for (let at = 0; at < PARTICLES; at++) {
      const left = this.life[at] ?? 0;
      if (left <= 0) continue;
      const now = left - seconds;
      this.life[at] = now;
      if (now <= 0) continue;
      const dusty = this.kind[at] === DUST;
      const x = (this.x[at] ?? 0) + (this.vx[at] ?? 0) * seconds - (dusty ? scroll * 0.6 : 0);
      const y = (this.y[at] ?? 0) + (this.vy[at] ?? 0) * seconds;
      this.x[at] = x;
      this.y[at] = y;
      const part = now / (this.span[at] ?? 1);
      const size = (this.size[at] ?? 1) * (dusty ? 1.6 - part * 0.8 : 0.4 + part * 0.8) * 20;
      const image = dusty ? this.puffPicture : this.sparkPicture;
      if (!image) continue;
      ctx.globalAlpha = dusty ? part * 0.75 : Math.min(1, part * 1.6);
      ctx.drawImage(image, x - size / 2, y - size / 2, size, size);
    }
    for (let at = 0; at < LABELS; at++) {
      const left = this.labelLife[at] ?? 0;
      if (left <= 0) continue;
      const now = left - seconds;
      this.labelLife[at] = now;
      const image = this.labelPicture[at];
      if (!image || now <= 0) continue;
      const age = 0.95 - now;
      // The label springs up, stands, then fades.
      const grow =
        age < 0.16 ? 0.5 + (age / 0.16) * 0.62 : age < 0.24 ? 1.12 - ((age - 0.16) / 0.08) * 0.12 : 1;
      const width = (image.width / this.scale) * grow;
      const height = (image.height / this.scale) * grow;
      ctx.globalAlpha = now < 0.25 ? now / 0.25 : 1;
      const x = Math.max(width / 2 + 6, Math.min(this.labelX[at] ?? 0, 394 - width / 2));
      ctx.drawImage(image, x - width / 2, (this.labelY[at] ?? 0) - height / 2 - age * 26, width, height);
    }
    ctx.globalAlpha = 1;
  }
}
