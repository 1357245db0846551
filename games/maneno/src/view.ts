import { h } from "@sdk/dom";
import type { Host, Result, RunInfo, View } from "@sdk/types";
import { type ManenoText, praises, say } from "../texts";
import { Board } from "./board";
import { burst, fly, praise, wait } from "./motion";
import { Clock, Found, type FoundWord } from "./panel";
import { inputsBetween, spell } from "./path";
import { resultCard } from "./result";
import * as sounds from "./sounds";
import { Input, RUN_TICKS, SHORTEST, Standing, State, TICKS_PER_SECOND, Verdict } from "./state";

const HINT_TICKS = 5 * TICKS_PER_SECOND;

/** Words from this length on produce sparks. */
const BURST_FROM = 6;

const VERDICT_TEXTS: Partial<Record<number, ManenoText>> = {
  [Verdict.TooShort]: "tooShort",
  [Verdict.NotAWord]: "notAWord",
  [Verdict.Repeated]: "repeated",
};

/** The parts that are built for one language of the page. */
interface Parts {
  stage: HTMLElement;
  board: Board;
  clock: Clock;
  found: Found;
  word: HTMLButtonElement;
  letters: HTMLElement;
  badge: HTMLElement;
}

export class ManenoView implements View {
  private parts: Parts;
  private built: string;
  private run: RunInfo | null = null;
  private state: State | null = null;
  private grid: string[] = [];
  /** The way that the player wants; the rules have it once the pending inputs have had their ticks. */
  private path: number[] = [];
  private standing: number = Standing.Nothing;
  private event = 0;
  /** The words of a run that goes on, as its replay found them. */
  private earlier: { words: FoundWord[]; event: number } = { words: [], event: 0 };
  /** The time until which the last verdict is shown. */
  private verdictUntil = 0;
  private nextHint = 0;
  /** Whether ticks are coming: letters are visible, gestures and keys count. */
  private live = false;

  constructor(private readonly host: Host) {
    this.parts = this.build();
    this.built = host.language;
    new ResizeObserver(() => this.fit()).observe(host.root);
    // P is a letter here, while the shell would pause on it.
    const takeP = (event: KeyboardEvent): void => {
      if (event.code !== "KeyP" || !this.live || event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopImmediatePropagation();
      this.key(event.code, event.type === "keydown");
    };
    window.addEventListener("keydown", takeP, true);
    window.addEventListener("keyup", takeP, true);
  }

  private build(): Parts {
    const { host } = this;
    const board = new Board(host.language, {
      changed: (path) => this.setPath(path),
      submitted: () => this.submit(),
    });
    const clock = new Clock(host);
    const found = new Found(host);
    const letters = h("span", { class: "letters" });
    const badge = h("b", { class: "badge", hidden: true });
    const word = h(
      "button",
      { type: "button", class: "word", tabindex: -1, onclick: () => this.submit() },
      letters,
      badge,
    );
    const stage = h(
      "div",
      { class: "maneno" },
      h("div", { class: "texture" }),
      clock.element,
      h("div", { class: "wordline" }, word),
      board.element,
      found.element,
    );
    host.root.replaceChildren(stage);
    return { stage, board, clock, found, word, letters, badge };
  }

  replayed(run: RunInfo): void {
    // Before the first step there is no word.
    if (run.steps === 1) this.earlier = { words: [], event: 0 };
    const { event, verdict, last, points } = new State(run.rules);
    if (event === this.earlier.event) return;
    this.earlier.event = event;
    if (verdict === Verdict.Accepted) this.earlier.words.push({ text: last.text, points });
  }

  start(run: RunInfo): void {
    if (this.built !== this.host.language) {
      this.parts = this.build();
      this.built = this.host.language;
    }
    this.fit();
    const { stage, board, clock, found } = this.parts;
    this.run = run;
    this.state = new State(run.rules);
    this.grid = this.state.grid;
    this.path = [];
    this.standing = Standing.Nothing;
    this.event = this.state.event;
    this.verdictUntil = 0;
    this.nextHint = HINT_TICKS;
    this.setLive(false);
    stage.classList.remove("over", "hot", "late", "hidden-found");
    board.setLetters(this.grid);
    board.forget();
    found.start(this.state.hiddenLength);
    if (run.steps > 0) for (const word of this.earlier.words) found.add(word);
    this.earlier = { words: [], event: 0 };
    if (this.state.hiddenFound) found.hiddenFound();
    stage.classList.toggle("hidden-found", this.state.hiddenFound);
    clock.draw(this.state, 0);
    this.showWord("", "");
  }

  stepped(): void {
    const { state, run } = this;
    if (!state || !run) return;
    if (!this.live && !run.over) {
      this.setLive(true);
      // The way that was drawn before a pause is cleared, in the rules too.
      if (run.steps > 1) this.host.press(Input.Clear);
    }
    if (run.mode === "watch") this.path = state.path;
    if (state.event !== this.event) {
      this.event = state.event;
      this.showAnswer(state);
    } else if (run.mode === "watch" || this.standingNow(state) !== this.standing) this.showPath();
  }

  private setLive(live: boolean): void {
    this.live = live;
    this.parts.board.enabled = live && this.run?.mode !== "watch";
    this.parts.board.cover(!live);
  }

  private standingNow(state: State): number {
    return state.path.length === this.path.length ? state.standing : Standing.Nothing;
  }

  frame(alpha: number): void {
    const { state } = this;
    if (!state) return;
    if (this.verdictUntil > 0 && performance.now() >= this.verdictUntil && this.live) this.showPath();
    this.hint(state);
    const seconds = this.parts.clock.draw(state, alpha);
    this.parts.stage.classList.toggle("hot", state.chain >= 3);
    if (seconds >= 0) this.parts.stage.classList.toggle("late", seconds <= 10);
    if (seconds < 0 || seconds > 10) return;
    if (seconds > 0) {
      this.host.sound(sounds.tickSound);
      this.host.vibrate(8);
    }
    if (seconds === 10) this.host.announce(say(this.host.language, "seconds", { n: 10 }));
  }

  /** Animates the tiles of a short word, one after another, for a newcomer who has found nothing yet. */
  private hint(state: State): void {
    const waited = RUN_TICKS - state.ticksLeft;
    if (this.host.best > 0 || this.run?.mode !== "practice" || state.found > 0 || this.path.length > 0)
      return;
    if (!this.live || waited < this.nextHint) return;
    this.nextHint = waited + HINT_TICKS;
    this.parts.board.flash(state.easy.cells, "hint", 500, 180);
  }

  key(code: string, down: boolean): boolean {
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const arrow = arrows[code];
    const letter = /^Key([A-Z])$/.exec(code)?.[1];
    const used = arrow || letter || ["Enter", "NumpadEnter", "Space", "Backspace", "Delete"].includes(code);
    if (!used || !this.parts.board.enabled) return false;
    if (!down || this.parts.board.dragging) return true;
    if (arrow) this.parts.board.moveFocus(...arrow);
    else if (letter) this.type(letter);
    else if (code === "Backspace") this.setPath(this.path.slice(0, -1));
    else if (code === "Delete") this.setPath([]);
    else if (code === "Space") {
      const cell = this.parts.board.cells.indexOf(document.activeElement as HTMLButtonElement);
      if (cell >= 0) this.parts.board.tap(cell);
      else this.submit();
    } else this.submit();
    return true;
  }

  paused(): void {
    this.path = [];
    this.parts.board.forget();
    this.showWord("", "");
    this.setLive(false);
  }

  async ended(): Promise<void> {
    const { state, host } = this;
    if (!state) return;
    this.live = false;
    this.parts.board.enabled = false;
    this.path = [];
    this.parts.board.draw([], Standing.Nothing);
    this.parts.clock.draw(state, 0);
    this.parts.stage.classList.remove("hot");
    this.parts.stage.classList.add("over");
    host.sound(sounds.endSound);
    host.vibrate([40, 60, 40]);
    const missed = state.missed;
    this.showWord(say(host.language, missed.text ? "time" : "allFound"), "");
    await wait(host.reducedMotion ? 500 : 750);
    const step = host.reducedMotion ? 0 : 70;
    this.showWord(missed.text, "");
    this.parts.board.flash(missed.cells, "shown", 0, step);
    await wait(missed.cells.length * step + 500);
  }

  result(): Result {
    const { state } = this;
    if (!state) return {};
    return { card: resultCard(this.host.language, state, this.parts.found.words) };
  }

  private setPath(path: number[]): void {
    if (!this.parts.board.enabled) return;
    for (const input of inputsBetween(this.path, path, Input.Clear)) this.host.press(input);
    if (path.length > this.path.length) {
      this.host.sound(sounds.letterSound(path.length));
      this.host.vibrate(5);
    }
    this.path = path;
    this.standing = Standing.Nothing;
    this.showPath();
  }

  private submit(): void {
    if (!this.parts.board.enabled || this.path.length < 2) return;
    this.host.press(Input.Submit);
    this.path = [];
  }

  private type(letter: string): void {
    const text = this.path.map((cell) => this.grid[cell]).join("") + letter;
    const path = spell(this.grid, text, this.path);
    if (path) this.setPath(path);
    else {
      this.host.sound(sounds.refusedSound);
      this.shake();
    }
  }

  private showPath(): void {
    const { state } = this;
    if (!state) return;
    this.standing = this.standingNow(state);
    this.parts.board.draw(this.path, this.standing);
    if (this.path.length === 0 && performance.now() < this.verdictUntil) return;
    this.verdictUntil = 0;
    const text = this.path.map((cell) => this.grid[cell]).join("");
    const mark = this.standing === Standing.Word ? "✓" : this.standing === Standing.FoundBefore ? "=" : "";
    this.showWord(text, mark);
    this.parts.word.classList.toggle("ready", this.standing === Standing.Word);
  }

  private showWord(text: string, badge: string, kind = ""): void {
    this.parts.letters.textContent = text;
    this.parts.badge.textContent = badge;
    this.parts.badge.hidden = badge === "";
    this.parts.word.className = `word ${kind}`;
    this.parts.word.style.setProperty("--length", String(Math.max(text.length, 7)));
    this.parts.word.disabled = text.length < SHORTEST;
    if (text) this.parts.word.setAttribute("aria-label", say(this.host.language, "play", { word: text }));
  }

  private showAnswer(state: State): void {
    const { text, cells } = state.last;
    const accepted = state.verdict === Verdict.Accepted;
    this.standing = Standing.Nothing;
    this.parts.board.draw(this.path, Standing.Nothing);
    if (accepted) this.accept(state, text, cells);
    else this.refuse(state.verdict, text, cells);
    this.verdictUntil = performance.now() + 900;
  }

  private accept(state: State, text: string, cells: number[]): void {
    const { host } = this;
    const { stage, board } = this.parts;
    const hidden = state.hiddenFound && !this.parts.stage.classList.contains("hidden-found");
    this.parts.stage.classList.toggle("hidden-found", state.hiddenFound);
    this.showWord(text, `+${state.points}`, "good");
    this.parts.board.flash(cells, "good", 420, host.reducedMotion ? 0 : 28);
    host.sound(hidden ? sounds.hiddenSound : sounds.acceptedSound(text.length, state.chain));
    host.vibrate(hidden ? [20, 40, 20, 40, 60] : text.length >= 6 ? [15, 30, 25] : 15);
    host.announce(say(host.language, "accepted", { word: text, n: state.points }));
    if (state.chain >= 2) this.parts.clock.setChain(state.chain);
    const chip = this.parts.found.add({ text, points: state.points });
    if (hidden) this.parts.found.hiddenFound();
    if (host.reducedMotion) return;
    if (hidden || text.length >= BURST_FROM) {
      burst(stage, board.cells, cells);
      praise(board.element, praises[Math.min(text.length - BURST_FROM, praises.length - 1)] ?? "");
    }
    this.parts.word.classList.add("flown");
    fly(stage, this.parts.letters, chip, text);
  }

  private refuse(verdict: number, text: string, cells: number[]): void {
    const { host } = this;
    const message = say(host.language, VERDICT_TEXTS[verdict] ?? "notAWord");
    this.showWord(text, message, verdict === Verdict.Repeated ? "old" : "bad");
    this.parts.board.flash(cells, verdict === Verdict.Repeated ? "again" : "bad", 320);
    this.shake();
    host.sound(verdict === Verdict.Repeated ? sounds.repeatedSound : sounds.refusedSound);
    host.vibrate(verdict === Verdict.Repeated ? 10 : [12, 40, 12]);
    host.announce(`${text}. ${message}`);
  }

  private shake(): void {
    if (this.host.reducedMotion) return;
    const moves = [0, -7, 6, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    this.parts.word.animate(moves, { duration: 260, easing: "ease-out" });
  }

  /** Sets the largest tiles that leave room for the clock, the word and at least a row of found words. */
  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.host.root;
    if (width === 0) return;
    const wide = height < 560 && width > height;
    this.parts.stage.classList.toggle("wide", wide);
    const top = Number.parseFloat(getComputedStyle(this.parts.stage).paddingTop) || 0;
    const forGrid = wide ? Math.min(height - 44, width * 0.5) : Math.min(width - 40, height - top - 220);
    document.documentElement.style.setProperty(
      "--p",
      `${Math.floor(Math.max(44, Math.min(80, forGrid / 5)))}px`,
    );
  }
}
