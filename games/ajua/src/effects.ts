import type { Point } from "./layout";
import { roundRect } from "./paint";

type Canvas = CanvasRenderingContext2D;

/** A short effect on top of the board. `part` runs from 0 to 1; colours are the board's own. */
interface Effect {
  start: number;
  seconds: number;
  draw: (g: Canvas, part: number) => void;
}

const PAPER = "#fff6e4";
const PAPER_EDGE = "#d9c69c";
const NIGHT = "#1b1426";
const SHARDS = ["#ffb224", "#fff1d6", "#ff6b5e", "#3ddc97", "#6cb8ff"];

/** An easing that overshoots a little, then rests at 1. */
function spring(part: number): number {
  const t = Math.min(1, part) - 1;
  return 1 + t * t * (2.4 * t + 1.4);
}

export class Effects {
  private running: Effect[] = [];

  get active(): boolean {
    return this.running.length > 0;
  }

  clear(): void {
    this.running = [];
  }

  draw(g: Canvas, clock: number): void {
    this.running = this.running.filter((effect) => clock < effect.start + effect.seconds);
    for (const effect of this.running) {
      const part = (clock - effect.start) / effect.seconds;
      if (part >= 0) effect.draw(g, part);
    }
  }

  /** Adds a ring that spreads from a pit, as a seed lands. */
  ripple(at: Point, radius: number, start: number, colour = "#fff1d6", strength = 0.5): void {
    this.running.push({
      start,
      seconds: 0.34,
      draw: (g, part) => {
        g.globalAlpha = (1 - part) * strength;
        g.strokeStyle = colour;
        g.lineWidth = 3 * (1 - part) + 0.5;
        g.beginPath();
        g.arc(at.x, at.y, radius * (0.72 + part * 0.42), 0, Math.PI * 2);
        g.stroke();
        g.globalAlpha = 1;
      },
    });
  }

  /** Adds a ring that stays for a while: solid for the player, dashed for the computer, so that colour is not needed. */
  ring(at: Point, radius: number, start: number, seconds: number, colour: string, dashed = false): void {
    this.running.push({
      start,
      seconds,
      draw: (g, part) => {
        const grown = Math.min(1, part * seconds * 6);
        g.globalAlpha = part > 0.85 ? (1 - part) / 0.15 : 1;
        drawRing(g, at, radius * (1.25 - 0.25 * spring(grown)) + 2, colour, dashed);
        g.globalAlpha = 1;
      },
    });
  }

  /** Adds the paper tag of a catch, which pops up and rises. */
  tag(at: Point, text: string, size: number, start: number, still: boolean): void {
    this.running.push({
      start,
      seconds: 1.15,
      draw: (g, part) => {
        const scale = still ? 1 : spring(part * 5);
        g.globalAlpha = part > 0.8 ? (1 - part) / 0.2 : 1;
        drawTag(g, { x: at.x, y: at.y - (still ? 0 : part * 22) }, text, size * scale);
        g.globalAlpha = 1;
      },
    });
  }

  /** Adds shards that burst from a catch. */
  burst(at: Point, count: number, start: number): void {
    const shards = Array.from({ length: count }, (_, index) => {
      const angle = (index / count) * Math.PI * 2 + (index % 3) * 0.4;
      const speed = 90 + ((index * 37) % 11) * 13;
      return {
        vx: Math.cos(angle) * speed,
        vy: Math.sin(angle) * speed - 90,
        size: 4 + (index % 4),
        turn: index,
      };
    });
    this.running.push({
      start,
      seconds: 0.8,
      draw: (g, part) => {
        const t = part * 0.8;
        g.globalAlpha = part > 0.6 ? (1 - part) / 0.4 : 1;
        shards.forEach(({ vx, vy, size, turn }, index) => {
          g.fillStyle = SHARDS[index % SHARDS.length] ?? PAPER;
          g.save();
          g.translate(at.x + vx * t, at.y + vy * t + 260 * t * t);
          g.rotate(turn + t * 7);
          if (index % 3 === 0) {
            g.beginPath();
            g.arc(0, 0, size * 0.55, 0, Math.PI * 2);
            g.fill();
          } else g.fillRect(-size / 2, -size / 2, size, index % 3 === 1 ? size : size * 0.5);
          g.restore();
        });
        g.globalAlpha = 1;
      },
    });
  }
}

export function drawRing(g: Canvas, at: Point, radius: number, colour: string, dashed: boolean): void {
  g.beginPath();
  g.arc(at.x, at.y, radius, 0, Math.PI * 2);
  g.lineCap = "round";
  g.setLineDash(dashed ? [radius * 0.26, radius * 0.26] : []);
  g.strokeStyle = "rgb(20 8 2 / .45)";
  g.lineWidth = 6.5;
  g.stroke();
  g.strokeStyle = colour;
  g.lineWidth = 4;
  g.stroke();
  g.setLineDash([]);
}

export function drawTag(g: Canvas, at: Point, text: string, size: number): void {
  if (size <= 1) return;
  g.save();
  g.translate(at.x, at.y);
  g.rotate(0.08);
  g.font = `800 ${size}px "Outfit Variable", Outfit, system-ui, sans-serif`;
  const width = g.measureText(text).width + size * 0.75;
  const box = { x: -width / 2, y: -size * 0.72, width, height: size * 1.44 };
  g.fillStyle = PAPER_EDGE;
  roundRect(g, { ...box, y: box.y + 4 }, size * 0.5);
  g.fill();
  g.fillStyle = PAPER;
  roundRect(g, box, size * 0.5);
  g.fill();
  g.fillStyle = NIGHT;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, 0, size * 0.06);
  g.restore();
}
