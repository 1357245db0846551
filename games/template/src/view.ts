import type { Host, RunInfo, View } from "@sdk/types";
import { miss } from "../texts";

// The words of the rules' state.
const LEFT = 1;
const SPAN = 2;
const LIVES = 3;
const EVENT = 4;

/** A view reads the state and draws it; it never decides anything. */
export class NgomaView implements View {
  private readonly drum = document.createElement("div");
  private readonly ring = document.createElement("div");
  private readonly lives = document.createElement("p");
  private state = new Int32Array(8);

  constructor(private readonly host: Host) {
    const box = document.createElement("div");
    box.className = "ngoma";
    this.drum.className = "ngoma-drum";
    this.ring.className = "ngoma-ring";
    this.lives.className = "ngoma-lives";
    box.append(this.drum, this.ring, this.lives);
    host.root.append(box);
    box.addEventListener("pointerdown", () => host.press(1));
  }

  start(run: RunInfo): void {
    this.state = new Int32Array(run.rules.memory.buffer, run.rules.state(), 8);
    this.showLives();
    this.frame(0);
  }

  stepped(): void {
    const event = this.state[EVENT];
    if (!event) return;
    this.drum.className = event === 1 ? "ngoma-drum missed" : "ngoma-drum hit";
    setTimeout(() => {
      this.drum.className = "ngoma-drum";
    }, 120);
    if (event === 1) {
      this.showLives();
      this.host.announce(miss[this.host.language]);
      this.host.vibrate(60);
      this.host.sound([1, 0, 90, 0.01, 0.05, 0.2, 4, 1.8]);
    } else {
      this.host.vibrate(10);
      this.host.sound([0.8, 0, event === 3 ? 330 : 220, 0.005, 0.04, 0.18, 0, 2]);
    }
  }

  frame(alpha: number): void {
    const left = (this.state[LEFT] ?? 0) - alpha;
    const part = left / (this.state[SPAN] || 1);
    this.ring.style.transform = `scale(${Math.max(0.6, 1 + part * 1.6)})`;
  }

  key(code: string, down: boolean): boolean {
    if (code !== "Space") return false;
    if (down) this.host.press(1);
    return true;
  }

  private showLives(): void {
    this.lives.textContent = "● ".repeat(this.state[LIVES] ?? 0).trim();
  }
}
