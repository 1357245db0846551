import { drawRing, drawTag, Effects } from "./effects";
import type { Forecast } from "./forecast";
import { bend, type Layout, type Point } from "./layout";
import { paintBoard, paintBowl, paintMat, paintSeeds } from "./paint";
import { CATCH, LOSS, PATH, WOOD } from "./palette";
import { type Seed, Seeds } from "./seeds";
import { across, ROW } from "./state";

type Canvas = CanvasRenderingContext2D;

interface Cue {
  at: number;
  run: () => void;
}

/** Highest device pixel ratio that is drawn: a third and fourth device pixel cost more than they show. */
const MOST_RATIO = 2;
const SKIPPING = 9;
/** Laps whose way a hint draws. */
const MOST_WAYS = 4;

/** Two canvases: the wood, painted once per size, and the moving parts. Runs a clock only while something moves. */
export class Stage {
  readonly effects = new Effects();
  clock = 0;
  hint: Forecast | undefined;
  /** The pits where the computer's move began and ended, until the player's next move. */
  trace: { from: number; last: number } | undefined;
  seeds: Seeds;
  onFrame: () => void = () => {};
  private readonly wood: HTMLCanvasElement;
  private readonly moving: HTMLCanvasElement;
  private readonly g: Canvas;
  private ratio = 1;
  private pictures: HTMLCanvasElement[] = [];
  private cues: Cue[] = [];
  private handle = 0;
  private before = 0;
  private speed = 1;
  private held = false;
  private readonly shown: { count: number; since: number }[] = [];

  constructor(
    root: HTMLElement,
    private readonly still: boolean,
    public layout: Layout,
  ) {
    this.wood = document.createElement("canvas");
    this.moving = document.createElement("canvas");
    this.wood.className = "wood";
    this.moving.className = "moving";
    for (const canvas of [this.wood, this.moving]) canvas.setAttribute("aria-hidden", "true");
    root.append(this.wood, this.moving);
    const context = this.moving.getContext("2d");
    if (!context) throw new Error("This browser draws no canvas.");
    this.g = context;
    this.seeds = new Seeds(layout);
  }

  resize(layout: Layout): void {
    this.layout = layout;
    this.ratio = Math.min(MOST_RATIO, window.devicePixelRatio || 1);
    for (const canvas of [this.wood, this.moving]) {
      canvas.width = Math.round(layout.width * this.ratio);
      canvas.height = Math.round(layout.height * this.ratio);
    }
    const g = this.wood.getContext("2d");
    if (g) {
      g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      paintMat(g, layout);
      paintBoard(g, layout);
    }
    this.pictures = paintSeeds(layout.seed, this.ratio);
    this.seeds.resize(layout);
    this.wake();
  }

  /** Runs a function at a time of the clock. */
  cue(at: number, run: () => void): void {
    let index = this.cues.length;
    while (index > 0 && (this.cues[index - 1]?.at ?? 0) > at) index--;
    this.cues.splice(index, 0, { at, run });
    this.wake();
  }

  get busy(): boolean {
    return this.cues.length > 0;
  }

  /** Plays the rest of the moves at many times the speed, until the cues are done. */
  skip(): void {
    if (this.busy) this.speed = SKIPPING;
  }

  /** Plays the rest of the moves in at most this many seconds. */
  hurry(seconds: number): void {
    const left = (this.cues[this.cues.length - 1]?.at ?? 0) - this.clock;
    this.speed = Math.max(this.speed, left / seconds);
  }

  hold(held: boolean): void {
    this.held = held;
    if (!held) this.wake();
  }

  stop(): void {
    this.cues = [];
    this.effects.clear();
    this.speed = 1;
  }

  wake(): void {
    if (this.handle || this.held) return;
    this.before = 0;
    this.handle = requestAnimationFrame(this.onTime);
  }

  private readonly onTime = (now: number): void => {
    const seconds = (this.before ? Math.min(0.1, (now - this.before) / 1000) : 1 / 60) * this.speed;
    this.before = now;
    this.clock += seconds;
    for (let cue = this.cues[0]; cue && cue.at <= this.clock; cue = this.cues[0]) {
      this.cues.shift();
      // Seeds that landed before a cue must lie there when it runs, even when one frame covers many cues.
      this.seeds.advance(cue.at, 0);
      cue.run();
    }
    if (!this.busy) this.speed = 1;
    const moves = this.seeds.advance(this.clock, seconds);
    this.draw();
    this.onFrame();
    const goesOn = moves || this.busy || this.effects.active || this.bumping();
    this.handle = goesOn && !this.held ? requestAnimationFrame(this.onTime) : 0;
  };

  private draw(): void {
    const { g, ratio, layout } = this;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, layout.width, layout.height);
    for (const bowl of layout.bowls) paintBowl(g, bowl);
    if (this.trace) this.drawTrace(this.trace.from, this.trace.last);
    const flying: Seed[] = [];
    for (const seed of this.seeds.all) {
      if (seed.height > 0) flying.push(seed);
      else this.drawSeed(seed, 1);
    }
    this.drawCounts();
    if (this.hint) this.drawHint(this.hint);
    flying.sort((a, b) => a.height - b.height);
    g.fillStyle = "rgb(20 8 2 / .3)";
    for (const { x, y, height } of flying) {
      g.beginPath();
      g.ellipse(x + height * 5, y + height * 15, layout.seed * 1.05, layout.seed * 0.8, 0, 0, Math.PI * 2);
      g.fill();
    }
    for (const seed of flying) this.drawSeed(seed, 1 + seed.height * 0.42);
    this.effects.draw(g, this.clock);
  }

  private drawSeed(seed: Seed, scale: number): void {
    const picture = this.pictures[seed.picture];
    if (!picture) return;
    const size = this.layout.seed * 4 * scale;
    this.g.drawImage(picture, seed.x - size / 2, seed.y - size / 2, size, size);
  }

  private bumping(): boolean {
    return !this.still && this.shown.some(({ since }) => this.clock - since < 0.2);
  }

  private drawCounts(): void {
    const { g, layout } = this;
    g.textAlign = "center";
    g.textBaseline = "middle";
    layout.pits.forEach((pit, index) => {
      const count = this.seeds.count(index);
      let shown = this.shown[index];
      if (shown?.count !== count) {
        shown = { count, since: shown ? this.clock : -1 };
        this.shown[index] = shown;
      }
      const bump = this.still ? 0 : Math.max(0, 1 - (this.clock - shown.since) / 0.2);
      const mine = index < ROW;
      const size = layout.pitch * 0.33 * (1 + bump * 0.3);
      g.font = `700 ${size}px "Outfit Variable", Outfit, system-ui, sans-serif`;
      g.fillStyle = mine ? WOOD.mineInk : WOOD.theirsInk;
      g.globalAlpha = count === 0 ? 0.55 : 1;
      g.fillText(String(count), pit.x + (mine ? 1 : -1) * (layout.radius + layout.pitch * 0.3), pit.y + 1);
    });
    g.globalAlpha = 1;
  }

  private pit(index: number): Point {
    return this.layout.pits[index] ?? { x: 0, y: 0 };
  }

  private drawTrace(from: number, last: number): void {
    const { g, layout } = this;
    g.globalAlpha = 0.8;
    g.strokeStyle = "#fff1d6";
    g.lineWidth = 2.5;
    g.lineCap = "round";
    g.setLineDash([0, 6]);
    for (const pit of [from, last]) {
      const { x, y } = this.pit(pit);
      g.beginPath();
      g.arc(x, y, layout.radius + 2.5, 0, Math.PI * 2);
      g.stroke();
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  /** Draws the way of the seeds lap by lap, the pit of the last one, and what it catches. */
  private drawHint({ pit, last, caught, turns }: Forecast): void {
    const { g, layout } = this;
    const stops = [pit, ...turns, last];
    g.lineCap = "round";
    g.setLineDash([0, 9]);
    // The first lap matters most; later ones are faint.
    for (let way = Math.min(stops.length - 1, MOST_WAYS) - 1; way >= 0; way--) {
      const from = this.pit(stops[way] ?? 0);
      const to = this.pit(stops[way + 1] ?? 0);
      const over = bend(from, to, layout.width / 2, (stops[way] ?? 0) < ROW ? 0 : 1);
      g.beginPath();
      g.moveTo(from.x, from.y);
      g.quadraticCurveTo(over.x, over.y, to.x, to.y);
      g.globalAlpha = way === 0 ? 0.55 : 0.2;
      g.strokeStyle = "#2a1105";
      g.lineWidth = way === 0 ? 7.5 : 5;
      g.stroke();
      g.globalAlpha = way === 0 ? 1 : 0.5;
      g.strokeStyle = PATH;
      g.lineWidth = way === 0 ? 5 : 3;
      g.stroke();
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
    drawRing(g, this.pit(pit), layout.radius + 2, "#ffffff", false);
    const end = this.pit(last);
    if (caught === 0) {
      drawRing(g, end, layout.radius + 2, "#fff1d6", true);
      return;
    }
    const prey = this.pit(across(last));
    drawRing(g, prey, layout.radius + 2, LOSS, true);
    drawRing(g, end, layout.radius + 2, CATCH, false);
    this.drawArrow({ x: end.x - layout.radius - 6, y: end.y }, { x: prey.x + layout.radius + 8, y: prey.y });
    const size = Math.max(20, layout.pitch * 0.4);
    const right = layout.board.x + layout.board.width + size * 0.1;
    drawTag(
      g,
      { x: Math.min(layout.width - size * 1.15, right), y: end.y - layout.pitch * 0.5 },
      `+${caught}`,
      size,
    );
  }

  private drawArrow(from: Point, to: Point): void {
    const { g } = this;
    g.strokeStyle = "#ffffff";
    g.lineWidth = 4.5;
    g.lineCap = g.lineJoin = "round";
    g.beginPath();
    g.moveTo(from.x, from.y);
    g.lineTo(to.x, to.y);
    g.moveTo(to.x + 8, to.y - 8);
    g.lineTo(to.x, to.y);
    g.lineTo(to.x + 8, to.y + 8);
    g.stroke();
  }
}
