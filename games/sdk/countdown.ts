import { h } from "./dom";
import type { Sound } from "./sound";

const STEP = 550;

/** Counts down 3, 2, 1 before a game in time goes on, or says what the run waits for. */
export class Countdown {
  readonly element = h("div", { class: "count", "aria-hidden": "true", hidden: true });
  private timer = 0;

  constructor(private readonly sound: Sound) {}

  start(from: number, onDone: () => void): void {
    clearTimeout(this.timer);
    this.element.hidden = from === 0;
    if (from === 0) {
      onDone();
      return;
    }
    this.element.replaceChildren(h("b", { class: "num" }, String(from)));
    this.sound.play([0.5, 0, 440 + (3 - from) * 110, 0.005, 0.03, 0.08, 1, 1.6]);
    this.timer = window.setTimeout(() => this.start(from - 1, onDone), STEP);
  }

  /** Says what the run waits for. */
  say(text: string): void {
    this.element.replaceChildren(h("p", {}, text));
    this.element.hidden = false;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.element.hidden = true;
  }
}
