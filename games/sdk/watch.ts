import { h, icon, round } from "./dom";
import type { ScreenContext } from "./screens";
import { formatNumber, translate } from "./texts";

interface WatchOptions {
  /** The points at the end of the run, if the link has them. */
  points: number | null;
  onSpeed(): void;
  onRestart(): void;
}

interface WatchBar {
  bar: HTMLElement[];
  showSpeed(speed: number): void;
}

/** The bar above a watched run: the way back, the points so far, start over, and the speed. */
export function watchBar(context: ScreenContext, score: HTMLElement, options: WatchOptions): WatchBar {
  const { language, backUrl } = context;
  const speed = h("button", { type: "button", class: "round num", onclick: options.onSpeed });
  const close = translate(language, "close");
  return {
    bar: [
      h("a", { class: "round", href: backUrl, "aria-label": close, title: close }, icon("x")),
      h(
        "div",
        { class: "plate" },
        h("p", { class: "tag" }, icon("play", true), translate(language, "watching")),
        score,
        options.points !== null &&
          h("p", { class: "of num" }, translate(language, "ofPoints", formatNumber(options.points))),
      ),
      round(translate(language, "restart"), "again", options.onRestart),
      speed,
    ],
    showSpeed(value) {
      speed.textContent = `${value}x`;
      const label = translate(language, "speed", value);
      speed.setAttribute("aria-label", label);
      speed.title = label;
    },
  };
}
