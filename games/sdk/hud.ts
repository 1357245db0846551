import { h, round } from "./dom";
import { type ScreenContext, soundButton } from "./screens";
import { formatNumber, translate } from "./texts";
import { watchBar } from "./watch";

/** The bar over the stage: pause, the score with the chase for the best, and the sound. */
export class Hud {
  readonly element = h("header", { class: "hud", hidden: true });
  private readonly score = h("p", { class: "score", "aria-live": "off" });
  private readonly plate = h("div", { class: "plate" });
  private readonly bar = h("i");
  private readonly chase = h("div", { class: "chase" });
  private shown = -1;
  /** The best score before the run. */
  private best = 0;

  constructor(private readonly reducedMotion: boolean) {}

  /** Shows the bar of a run that is played. */
  playing(context: ScreenContext, best: number, onPause: () => void): void {
    const { language } = context;
    const pause = round(translate(language, "pause"), "pause", onPause, true);
    this.element.classList.remove("watching");
    this.chase.replaceChildren(
      h("div", { class: "bar" }, this.bar),
      h("p", {}, h("span", {}, translate(language, "best")), h("span", { class: "num" }, formatNumber(best))),
    );
    this.chase.hidden = best === 0;
    this.plate.replaceChildren(this.score, this.chase);
    this.plate.hidden = context.game.ownScore === true;
    this.element.replaceChildren(pause, this.plate, soundButton(context));
    if (this.plate.hidden) this.element.insertBefore(h("span"), this.plate);
  }

  /** Shows the bar of a run that is watched; returns a function that shows its speed. */
  watching(
    context: ScreenContext,
    options: Parameters<typeof watchBar>[2],
  ): ReturnType<typeof watchBar>["showSpeed"] {
    const { bar, showSpeed } = watchBar(context, this.score, options);
    this.element.classList.add("watching");
    this.element.replaceChildren(...bar);
    return showSpeed;
  }

  /** Begins a run with `best` as the score to beat. */
  start(best: number): void {
    this.best = best;
    this.shown = -1;
    this.element.hidden = false;
    this.chase.classList.remove("beaten");
  }

  showScore(score: number): void {
    if (score === this.shown) return;
    const jump = score - this.shown;
    this.shown = score;
    this.score.textContent = formatNumber(score);
    if (this.best > 0) {
      this.bar.style.transform = `scaleX(${Math.max(0, Math.min(score / this.best, 1))})`;
      this.chase.classList.toggle("beaten", score > this.best);
    }
    if (jump >= 5 && !this.reducedMotion) {
      this.plate.classList.remove("bump");
      requestAnimationFrame(() => this.plate.classList.add("bump"));
    }
  }
}
