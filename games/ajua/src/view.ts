import type { Host, Result, RunInfo, View } from "../../sdk/types";
import { Chooser } from "./chooser";
import { Controls } from "./controls";
import { bestCatch, type Forecast, forecast } from "./forecast";
import { type Layout, layout } from "./layout";
import { opponentOf } from "./opponents";
import { Panel } from "./panels";
import { type Missed, resultOf } from "./result";
import { RulesSheet } from "./rules-sheet";
import { show } from "./script";
import { SOUNDS } from "./sounds";
import { Stage } from "./stage";
import { GOAL, Outcome, Phase, ROW, readState, type Side, type State } from "./state";
import { type Say, texts } from "./texts";

/**
 * Whether the screen is so low that the board needs the space of the score plate. Asked once, because the shell builds the plate at the
 * start.
 */
export function isCompact(): boolean {
  return window.innerHeight < 760;
}

/** Below this height the style sheet puts the panels beside the board. */
const LYING_HEIGHT = 480;
const END_PAUSE = 700;
/** Longest ending in s: the shell shows the result after four seconds in any case. */
const LONGEST_ENDING = 3;

export class AjuaView implements View {
  /** Texts in the current language: the player may switch it on the title screen. */
  private readonly say: Say = (key, values) =>
    texts(this.host.language)(key, { name: this.opponentName(), ...values });
  private readonly root = document.createElement("div");
  private readonly stage: Stage;
  private readonly controls: Controls;
  private readonly panels: [Panel, Panel];
  private readonly chooser: Chooser;
  private readonly sheet: RulesSheet;
  private run: RunInfo | undefined;
  private state: State | undefined;
  /** The counts that the panels show: seeds arrive there one by one. */
  private shown: [number, number] = [0, 0];
  private missed: Missed | undefined;
  private showing: Promise<void> = Promise.resolve();
  private pending = 0;

  constructor(private readonly host: Host) {
    this.root.className = "ajua";
    this.root.classList.toggle("still", host.reducedMotion);
    this.root.classList.toggle("compact", isCompact());
    host.root.append(this.root);
    this.panels = [new Panel(0, this.say), new Panel(1, this.say)];
    this.root.append(this.panels[1].element, this.panels[0].element);
    this.stage = new Stage(this.root, host.reducedMotion, this.measure());
    this.controls = new Controls(this.root, this.say, {
      rest: (pit) => this.rest(pit),
      play: (pit) => this.play(pit),
      interrupt: () => this.interrupt(),
    });
    this.chooser = new Chooser(this.root, this.say, (input) => host.move(input));
    this.sheet = new RulesSheet(this.root, (open) => this.stage.hold(open));
    this.root.addEventListener("pointerdown", (event) => {
      if (!(event.target instanceof Element && event.target.closest("button, .pits"))) this.interrupt();
    });
    new ResizeObserver(() => this.resize()).observe(this.root);
    void document.fonts?.ready.then(() => this.stage.wake());
  }

  start(run: RunInfo): void {
    this.run = run;
    this.sheet.speak(this.host.language);
    this.chooser.speak();
    this.stage.stop();
    this.stage.trace = undefined;
    this.missed = undefined;
    this.pending = 0;
    this.showing = Promise.resolve();
    const state = this.read(run);
    this.state = state;
    this.shown = [...state.caught];
    this.stage.seeds.deal(state.pits, state.caught);
    this.resize();
    this.panels[0].caught(state.caught[0]);
    this.panels[1].caught(state.caught[1]);
    this.panels[1].opponent(state.strength);
    if (state.phase === Phase.Choosing && run.mode !== "watch") this.chooser.open();
    else this.chooser.close();
    this.invite();
  }

  stepped(_input: number, _result: number): void {
    const { run } = this;
    if (!run) return;
    const before = this.state;
    const state = this.read(run);
    this.state = state;
    if (before?.phase === Phase.Choosing) {
      this.chooser.close();
      this.panels[1].opponent(state.strength);
      this.invite();
      return;
    }
    this.pending++;
    this.stage.hint = undefined;
    this.stage.trace = undefined;
    this.controls.update(state.pits, false);
    this.host.showScore(this.shown[0] * state.strength * 10);
    // A watched run may be faster than the seeds: then the move before is finished quickly.
    if (this.pending > 1) this.stage.skip();
    this.showing = this.showing.then(() => this.showStep(state, run));
  }

  /** The score on the plate grows as seeds reach the bowl. */
  readonly holdsScore = true;

  settled(): Promise<void> {
    return this.showing;
  }

  async ended(): Promise<void> {
    this.stage.hurry(LONGEST_ENDING);
    await this.showing;
    const won = this.state?.outcome === Outcome.Won;
    if (won) {
      this.host.sound(SOUNDS.won);
      this.host.vibrate([20, 40, 30]);
    }
    await new Promise((done) => setTimeout(done, END_PAUSE));
  }

  result(): Result {
    return this.state ? resultOf(this.state, this.missed, this.say) : {};
  }

  paused(): void {
    this.stage.hold(true);
  }

  resumed(): void {
    this.stage.hold(false);
  }

  private read(run: RunInfo): State {
    return readState(run.rules.memory, run.rules.state());
  }

  private async showStep(state: State, run: RunInfo): Promise<void> {
    if (this.run !== run) return;
    let fallen = 0;
    await show(this.stage, state.events, this.host.reducedMotion, {
      turnBegins: (side) => {
        fallen = 0;
        this.panels[0].announce(side === 0 ? "sowing" : "you", "", side === 0);
        this.panels[1].opponentTurn(state.strength, side === 1);
      },
      seedFell: (pit) => this.host.sound(SOUNDS.fall(fallen++, pit)),
      sownOn: () => this.host.sound(SOUNDS.lift),
      caught: (side, count) => this.celebrate(side, count),
      bowlGot: (side) => this.gather(side, state),
    });
    this.pending--;
    if (this.run !== run) return;
    // If anything else changed meanwhile, such as the phone's orientation, the state decides.
    if (this.pending === 0 && !this.stage.seeds.matches(state.pits, state.caught))
      this.stage.seeds.deal(state.pits, state.caught);
    this.shown = [...state.caught];
    this.panels[0].caught(state.caught[0]);
    this.panels[1].caught(state.caught[1]);
    this.host.showScore(run.score);
    if (state.phase === Phase.Over || this.pending > 0) return;
    this.invite();
    const [mine, its] = state.caught;
    this.host.announce(`${this.heard(state)} ${this.say("saidState", { mine, its })}`);
  }

  /** Returns the text that a screen reader reads about both turns. */
  private heard(state: State): string {
    return state.events
      .filter(({ kind }) => kind === 3)
      .map(({ pit, count }) => this.say(pit < ROW ? "saidCatch" : "saidLoss", { n: count }))
      .join(" ");
  }

  private celebrate(side: Side, count: number): void {
    this.host.sound(side === 0 ? SOUNDS.caught(count) : SOUNDS.lost);
    if (side === 0) this.host.vibrate(count >= 8 ? [15, 30, 25] : 15);
    if (count >= 8 && !this.host.reducedMotion) {
      const push = side === 0 ? -5 : 5;
      this.root.animate?.(
        [
          { transform: "none" },
          { transform: `translate(${push}px, 3px)` },
          { transform: `translate(${-push * 0.6}px, -2px)` },
          { transform: "none" },
        ],
        { duration: 260, easing: "ease-out" },
      );
    }
  }

  private gather(side: Side, state: State): void {
    const count = this.stage.seeds.count(16 + side);
    this.shown[side] = count;
    this.panels[side].caught(count);
    if (!this.host.reducedMotion) this.panels[side].hop();
    if (side === 0) this.host.showScore(count * state.strength * 10);
  }

  /** Begins the player's turn. */
  private invite(): void {
    const { state, run } = this;
    if (!state || !run) return;
    const playable = state.phase === Phase.Playing && run.mode !== "watch";
    this.panels[1].opponentTurn(state.strength, false);
    const line = state.moves === 0 ? this.say("first", { n: GOAL }) : this.say("pick");
    this.panels[0].announce(playable ? "yourTurn" : "you", playable ? line : "", playable);
    this.controls.update(state.pits, playable);
    this.stage.wake();
  }

  /** Returns the opponent's name. */
  private opponentName(): string {
    return opponentOf(this.state?.strength ?? 0)?.name ?? texts(this.host.language)("opponent");
  }

  private rest(pit: number | undefined): void {
    const { state } = this;
    if (!state || this.stage.busy) return;
    const ahead = pit === undefined ? undefined : forecast(state.pits, pit);
    if (ahead?.pit === this.stage.hint?.pit && ahead?.last === this.stage.hint?.last) return;
    this.stage.hint = ahead;
    this.stage.wake();
    if (pit !== undefined && !ahead) {
      this.panels[0].announce("yourTurn", this.say("empty"), true);
      return;
    }
    if (!ahead) {
      this.panels[0].announce("yourTurn", this.say("pick"), true);
      return;
    }
    this.host.vibrate(4);
    const text = this.describe(ahead);
    this.panels[0].announce("yourTurn", text, true);
    const where =
      ahead.last < ROW
        ? this.say("mine", { pit: ahead.last + 1 })
        : this.say("its", { pit: ahead.last - ROW + 1 });
    this.controls.describe(ahead.pit, `${this.say("forecast", { where })}. ${text}`);
  }

  private describe({ caught, laps }: Forecast): string {
    if (caught > 0) return this.say("catches", { n: caught });
    return laps > 1 ? this.say("rounds", { n: laps }) : this.say("sleeps");
  }

  private play(pit: number): void {
    const { state } = this;
    if (!state || this.stage.busy || state.phase !== Phase.Playing) return;
    const taken = forecast(state.pits, pit);
    if (!taken) {
      this.panels[0].announce("yourTurn", this.say("empty"), true);
      return;
    }
    const best = bestCatch(state.pits);
    const given = (best?.caught ?? 0) - taken.caught;
    if (best && given > (this.missed?.seeds ?? 0))
      this.missed = { move: state.moves + 1, pit: best.pit + 1, seeds: given };
    this.host.vibrate(8);
    this.host.sound(SOUNDS.lift);
    this.host.move(pit);
  }

  private interrupt(): boolean {
    if (!this.stage.busy) return false;
    this.stage.skip();
    return true;
  }

  private measure(): Layout {
    const origin = this.root.getBoundingClientRect();
    const top = this.panels[1].element.getBoundingClientRect();
    const bottom = this.panels[0].element.getBoundingClientRect();
    // On a phone in landscape the panels stand beside the board.
    const lies = origin.height < LYING_HEIGHT;
    const from = lies ? 4 : top.bottom - origin.y + 8;
    const to = lies ? origin.height - 4 : bottom.top - origin.y - 10;
    const space = { x: 0, y: from, width: origin.width, height: Math.max(240, to - from) };
    return layout(
      origin.width || 360,
      space,
      [this.panels[0].bowlBox(origin), this.panels[1].bowlBox(origin)],
      origin.height || 640,
    );
  }

  private resize(): void {
    const { board, height } = this.measure();
    this.root.style.setProperty("--board-left", `${board.x}px`);
    this.root.style.setProperty("--board-bottom", `${height - board.y - board.height}px`);
    // The panels beside the board have their width from it, and the bowls their place from the panels.
    const measured = this.measure();
    this.stage.resize(measured);
    this.controls.place(measured);
  }
}
