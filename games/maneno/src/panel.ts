import { h, icon } from "@sdk/dom";
import type { Host } from "@sdk/types";
import { say } from "../texts";
import { CHAIN_TICKS, RUN_TICKS, type State, TICKS_PER_SECOND } from "./state";

export interface FoundWord {
  text: string;
  points: number;
}

export function chip({ text, points }: FoundWord): HTMLElement {
  return h("li", { class: text.length >= 6 ? "long" : "" }, text, h("b", {}, String(points)));
}

/** The clock with its bar, and the chain beside it. */
export class Clock {
  readonly element: HTMLElement;
  private readonly bar = h("i");
  private readonly text = h("span", { class: "figures" });
  private readonly chain: HTMLElement;
  private readonly chainText = h("b");
  private readonly chainBar = h("i");
  private shown = -1;

  constructor(private readonly host: Host) {
    this.chain = h(
      "p",
      { class: "chain", hidden: true },
      this.chainText,
      h("span", { class: "rest" }, this.chainBar),
    );
    const time = h(
      "p",
      { class: "time", role: "timer" },
      icon("clock"),
      h("span", { class: "bar", "aria-hidden": "true" }, this.bar),
      this.text,
    );
    this.element = h("div", { class: "clock" }, time, this.chain);
  }

  /** Draws the time; returns the remaining seconds when they changed, else -1. */
  draw(state: State, alpha: number): number {
    const ticks = Math.max(0, state.ticksLeft - (state.ticksLeft < RUN_TICKS ? alpha : 0));
    this.bar.style.transform = `scaleX(${(ticks / RUN_TICKS).toFixed(4)})`;
    const rest = Math.max(0, state.chainLeft - alpha) / CHAIN_TICKS;
    this.chainBar.style.transform = `scaleX(${rest.toFixed(3)})`;
    this.chain.hidden = state.chain < 2;
    const seconds = Math.ceil(state.ticksLeft / TICKS_PER_SECOND);
    if (seconds === this.shown) return -1;
    this.shown = seconds;
    this.text.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.element.classList.toggle("late", seconds <= 10);
    return seconds;
  }

  setChain(chain: number): void {
    this.chainText.textContent = `×${chain}`;
    this.chain.setAttribute("aria-label", say(this.host.language, "chain", { n: chain }));
    this.chain.classList.remove("grew");
    void this.chain.offsetWidth;
    this.chain.classList.add("grew");
  }
}

/** The found words, the newest first, and a placeholder of the hidden one. */
export class Found {
  readonly element: HTMLElement;
  private readonly list = h("ul");
  private readonly count = h("span", { class: "num" });
  private readonly goal = h("p", { class: "goal", role: "img" });
  private readonly empty: HTMLElement;
  words: FoundWord[] = [];

  constructor(private readonly host: Host) {
    const title = h("h2", {}, say(host.language, "found"), this.count);
    this.empty = h("p", { class: "empty" }, say(host.language, "foundNone"));
    this.element = h("section", { class: "found" }, h("header", {}, title, this.goal), this.empty, this.list);
  }

  start(hiddenLength: number): void {
    this.words = [];
    this.list.replaceChildren();
    this.empty.hidden = false;
    this.count.textContent = "";
    this.goal.className = "goal";
    this.goal.replaceChildren(icon("star"), ...Array.from({ length: hiddenLength }, () => h("i")));
    this.goal.setAttribute("aria-label", say(this.host.language, "hidden", { n: hiddenLength }));
    this.goal.title = say(this.host.language, "hidden", { n: hiddenLength });
  }

  /** Puts the word in front; returns its chip, still invisible, as the target of the flight. */
  add(word: FoundWord): HTMLElement {
    this.words.push(word);
    this.empty.hidden = true;
    this.count.textContent = String(this.words.length);
    const element = chip(word);
    this.list.querySelector(".newest")?.classList.remove("newest");
    element.classList.add("newest");
    this.list.prepend(element);
    this.list.scrollTop = 0;
    return element;
  }

  hiddenFound(): void {
    this.goal.className = "goal done";
    this.goal.replaceChildren(icon("star", true), say(this.host.language, "goal"));
  }
}
