import "./shell.css";
import "./result.css";
import { AppFrame } from "./appFrame";
import { h, paintWorld, round } from "./dom";
import { linksOf } from "./links";
import { FixedLoop } from "./loop";
import { RankedRun } from "./rankedRun";
import { sendPending } from "./report";
import { instantiateRules, loadRules } from "./rules";
import { InputPlayer, playAgain, practiceSeed, Run } from "./run";
import {
  failureScreen,
  pauseScreen,
  type ResultScreen,
  resultScreen,
  soundButton,
  titleScreen,
  tutorialScreen,
} from "./screens";
import { registerServiceWorker } from "./serviceWorker";
import { Sound } from "./sound";
import { ghostOf, keepGhost, keepIn, readGame, readSettings, writeGame, writeSettings } from "./store";
import { chooseLanguage, formatNumber, translate } from "./texts";
import { appOrigin, type Launch, readLaunch } from "./ticket";
import { type Game, type Host, type Mode, type Rules, StepResult, type View } from "./types";
import { watchBar } from "./watch";
import { WayBack } from "./wayBack";

const COUNTDOWN_STEP = 550;
const LONGEST_ENDING = 4000;
/** A ranked run in time is kept on the phone so often, in steps. */
const KEEP_STEPS = 60;
/** Pause between two moves of a watched run, in milliseconds, after the view's animation. */
const MOVE_PAUSE = 800;

/** Starts a game in `#game` of its page, with everything that all games have in common. */
export async function startGame(game: Game): Promise<void> {
  const origin = appOrigin();
  const app = await AppFrame.open(origin);
  if (app) keepIn(app.kept);
  await new Shell(game, origin, app).open();
}

type Phase = "title" | "countdown" | "playing" | "paused" | "ending" | "result";

class Shell {
  private readonly launch: Launch = readLaunch(location.href);
  private readonly links;
  private readonly settings = readSettings();
  private readonly memory;
  private readonly sound = new Sound(this.settings.sound);
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  private language = chooseLanguage(this.launch.language, this.settings.language, navigator.languages ?? []);

  private readonly box: HTMLElement;
  private readonly stage = h("div", { class: "stage" });
  private readonly hud = h("header", { class: "hud", hidden: true });
  private readonly said = h("p", { class: "said", "aria-live": "assertive" });
  private readonly score = h("p", { class: "score", "aria-live": "off" });
  private readonly plate = h("div", { class: "plate" });
  private readonly bar = h("i");
  private readonly chase = h("div", { class: "chase" });
  private readonly countBox = h("div", { class: "count", "aria-hidden": "true", hidden: true });
  private screen: HTMLElement | null = null;

  private phase: Phase = "title";
  private mode: Mode = "practice";
  private rules: Rules | null = null;
  private rulesBytes: ArrayBuffer = new ArrayBuffer(0);
  private view: View | null = null;
  private run: Run | null = null;
  private ranked: RankedRun | null = null;
  private wayBack: WayBack | null = null;
  private isBeginning = false;
  private loop: FixedLoop | null = null;
  private player: InputPlayer | null = null;
  private level = 0;
  private notice: string | null = null;
  private readonly queue: number[] = [];
  private held = 0;
  private shown = -1;
  private countdown = 0;
  private bestBefore = 0;

  /** `app` is null where the game has the window for itself. */
  constructor(
    private readonly game: Game,
    private readonly origin: string,
    private readonly app: AppFrame | null,
  ) {
    this.links = linksOf(this.launch, origin);
    this.memory = readGame(game.slug);
    this.box = document.getElementById("game") ?? document.body.appendChild(h("div", { id: "game" }));
    this.box.className = "game";
    paintWorld(game.world);
    this.level = game.levels?.[0]?.level ?? 0;
    const { ticket } = this.launch;
    if (ticket) this.ranked = new RankedRun(game.slug, ticket, this.launch, origin, app);
    this.mode = ticket ? "ranked" : this.launch.recording ? "watch" : "practice";
    // A game with its own score shows its points between the round buttons.
    if (this.mode === "watch" && game.ownScore) this.box.classList.add("lowered");
    const { broken } = this.launch;
    if (broken) this.notice = this.text(broken === "watch" ? "brokenWatch" : "broken");
  }

  async open(): Promise<void> {
    document.documentElement.lang = this.language;
    this.box.replaceChildren(this.stage, this.hud, this.countBox, this.said);
    this.buildHud();
    registerServiceWorker();
    this.wayBack = new WayBack(this.box, this.app, () => {
      if (this.phase === "ending" || this.phase === "result") this.ranked?.clearAddress();
      return this.pause();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.pause();
    });
    window.addEventListener("blur", () => this.pause());
    window.addEventListener("keydown", (event) => this.onKey(event, true));
    window.addEventListener("keyup", (event) => this.onKey(event, false));
    window.addEventListener("online", () => this.sendKept());
    // Show the title before the rules have loaded: on a slow network they take another round trip.
    this.loop = new FixedLoop(0, this.tick, this.frame);
    const bytes = this.fetchRules();
    try {
      bytes.catch(() => {});
      this.showTitle();
      // Let the title be painted before the view draws its pictures, which takes a slow phone a moment.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      this.view = await this.game.createView(this.host());
      if (this.view.attract) this.loop.start();
      this.rulesBytes = await bytes;
      this.rules = await instantiateRules(this.rulesBytes);
    } catch {
      this.loop.stop();
      this.show(failureScreen(this.context()));
      return;
    }
    this.loop.stop();
    this.loop = new FixedLoop(this.rules.ticksPerSecond, this.tick, this.frame);
    if (this.phase === "title" && this.view.attract) this.loop.start();
    // A run that goes on waits for the thumbs.
    const goes = this.launch.goes && !this.ranked?.waits;
    if (this.wantsToBegin || goes || this.mode === "watch") this.begin();
    this.sendKept();
  }

  private text(key: Parameters<typeof translate>[1], n?: string | number): string {
    return translate(this.language, key, n);
  }

  private fetchRules(): Promise<ArrayBuffer> {
    const named = this.ranked?.rules ?? this.launch.recording;
    return named ? loadRules(named.rules, named.sha256) : loadRules("rules.wasm");
  }

  // The functions that the view may use.

  private host(): Host {
    const shell = this;
    return {
      root: this.stage,
      get language() {
        return shell.language;
      },
      reducedMotion: this.reducedMotion,
      get best() {
        return shell.memory.best;
      },
      get ghost() {
        const { run } = shell;
        return run && run.mode !== "watch" ? ghostOf(shell.game.slug, run) : null;
      },
      newRules: () => instantiateRules(this.rulesBytes),
      press: (input) => {
        if (this.phase === "playing" && this.mode !== "watch" && this.queue.length < 32)
          this.queue.push(input);
      },
      hold: (input) => {
        this.held = input;
      },
      move: (input) =>
        this.phase === "playing" && this.mode !== "watch" ? this.move(input) : StepResult.NotAllowed,
      sound: (parameters) => this.sound.play(parameters),
      vibrate: (pattern) => {
        if ("vibrate" in navigator) navigator.vibrate(pattern);
      },
      announce: (text) => {
        this.said.textContent = text;
      },
      showScore: (score) => this.showScore(score),
    };
  }

  private context() {
    const shell = this;
    return {
      game: this.game,
      language: this.language,
      reducedMotion: this.reducedMotion,
      get soundOn() {
        return shell.sound.on;
      },
      backUrl: this.links.back,
      toggleSound: () => {
        this.sound.toggle();
        this.settings.sound = this.sound.on;
        writeSettings(this.settings);
      },
    };
  }

  private buildHud(): void {
    this.hud.classList.toggle("watching", this.mode === "watch");
    if (this.mode === "watch") {
      const { bar, showSpeed } = watchBar(this.context(), this.score, {
        points: this.launch.recording?.points ?? null,
        onSpeed: () => {
          this.speed = this.speed === 1 ? 2 : 1;
          if (this.loop) this.loop.speed = this.speed;
          showSpeed(this.speed);
        },
        onRestart: () => {
          if (this.phase === "playing") this.begin();
        },
      });
      showSpeed(this.speed);
      this.hud.replaceChildren(...bar);
      return;
    }
    const pause = round(this.text("pause"), "pause", () => this.pause(), true);
    this.chase.replaceChildren(
      h("div", { class: "bar" }, this.bar),
      h(
        "p",
        {},
        h("span", {}, this.text("best")),
        h("span", { class: "num" }, formatNumber(this.memory.best)),
      ),
    );
    this.chase.hidden = this.memory.best === 0;
    this.plate.replaceChildren(this.score, this.chase);
    this.plate.hidden = this.game.ownScore === true;
    this.hud.replaceChildren(pause, this.plate, soundButton(this.context()));
    if (this.plate.hidden) this.hud.insertBefore(h("span"), this.plate);
  }

  private showScore(score: number): void {
    if (score === this.shown) return;
    const jump = score - this.shown;
    this.shown = score;
    this.score.textContent = formatNumber(score);
    if (this.bestBefore > 0) {
      this.bar.style.transform = `scaleX(${Math.max(0, Math.min(score / this.bestBefore, 1))})`;
      this.chase.classList.toggle("beaten", score > this.bestBefore);
    }
    if (jump >= 5 && !this.reducedMotion) {
      this.plate.classList.remove("bump");
      requestAnimationFrame(() => this.plate.classList.add("bump"));
    }
  }

  private show(screen: HTMLElement | null): void {
    this.screen?.remove();
    this.screen = screen;
    this.hud.inert = screen !== null;
    this.stage.inert = screen !== null;
    if (!screen) return;
    this.box.append(screen);
    // The first screen takes no focus: browsers would draw a focus ring without a tap.
    if (!this.opened) this.opened = true;
    else screen.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
  }

  private showTitle(): void {
    this.phase = "title";
    this.hud.hidden = true;
    if (!this.notice && this.mode === "practice" && !navigator.onLine)
      this.notice = this.text("offlinePractice");
    const waits = this.ranked?.waits === true;
    this.show(
      titleScreen(this.context(), {
        mode: this.mode,
        action: this.mode === "watch" ? "watch" : this.isBeginning ? "starting" : waits ? "resume" : "play",
        inTournament: this.launch.tournamentId !== null,
        best: this.memory.best,
        level: this.level,
        notice: this.notice ?? (waits ? this.text("runWaits") : null),
        competeUrl: this.links.compete,
        onPlay: (level) => {
          this.level = level;
          this.begin();
        },
        onNewRun: () => {
          this.ranked?.forget();
          this.wayBack?.leave(this.links.compete ?? this.links.back);
        },
        onHowTo: () => this.showTutorial(() => this.showTitle()),
        onLanguage: () => {
          this.language = this.language === "en" ? "sw" : "en";
          this.settings.language = this.language;
          writeSettings(this.settings);
          document.documentElement.lang = this.language;
          this.buildHud();
          this.showTitle();
        },
      }),
    );
    if (this.view?.attract) this.loop?.start();
  }

  private showTutorial(onDone: () => void): void {
    this.show(tutorialScreen(this.context(), onDone));
  }

  private begin(): void {
    if (!this.memory.tutorial && this.mode !== "watch") {
      this.showTutorial(() => {
        this.memory.tutorial = true;
        writeGame(this.game.slug, this.memory);
        this.begin();
      });
      return;
    }
    const { rules, view } = this;
    if (!rules || !view) {
      this.wantsToBegin = true;
      return;
    }
    const { recording } = this.launch;
    if (this.ranked) void this.beginRanked(this.ranked, rules, view);
    else if (this.mode === "watch" && recording)
      this.start(new Run(rules, recording.seed, recording.level, "watch"), view);
    else this.start(new Run(rules, practiceSeed(this.game), this.level, "practice"), view);
  }

  private async beginRanked(ranked: RankedRun, rules: Rules, view: View): Promise<void> {
    if (this.isBeginning) return;
    if (!ranked.waits) {
      this.isBeginning = true;
      this.notice = null;
      this.showTitle();
    }
    const beginning = await ranked.begin();
    this.isBeginning = false;
    if (beginning.kind === "lost") {
      this.notice = this.text("notBegun");
      this.showTitle();
    } else if (beginning.kind === "refused") this.practise(beginning.message || this.text("refused"));
    else {
      const { seed, level, inputs } = beginning.start;
      const run = new Run(rules, seed, level, "ranked");
      try {
        playAgain(run, inputs, () => view.replayed?.(run));
      } catch {
        ranked.forget();
        return this.practise(this.text("refused"));
      }
      this.start(run, view);
    }
  }

  /** Shows the title screen for practice, and why the ranked run cannot be played. */
  private practise(reason: string): void {
    this.loop?.stop();
    this.mode = "practice";
    this.ranked = null;
    this.notice = reason;
    this.showTitle();
  }

  /** Keeps a ranked run on the phone, so that it goes on after a reload; returns false if another page plays it. */
  private keep(): boolean {
    if (!this.run || this.run.over || !this.ranked || this.ranked.keep(this.run.inputs())) return true;
    this.practise(this.text("elsewhere"));
    return false;
  }

  private start(run: Run, view: View): void {
    const { recording } = this.launch;
    this.loop?.stop();
    if (this.loop) this.loop.speed = this.speed;
    this.run = run;
    this.player = this.mode === "watch" && recording ? new InputPlayer(recording.inputs) : null;
    this.queue.length = 0;
    this.held = 0;
    this.bestBefore = this.memory.best;
    this.shown = -1;
    this.notice = null;
    this.buildHud();
    this.hud.hidden = false;
    this.chase.classList.remove("beaten");
    this.show(null);
    this.showScore(run.score);
    view.start(run);
    this.countIn(run.rules.ticksPerSecond > 0 && this.mode !== "watch" ? 3 : 0);
    // The run may begin after the player has gone to another app.
    if (document.hidden && this.mode !== "watch") this.pause();
  }

  /** Counts down 3, 2, 1 for a game in time: thumbs need a moment after a screen. The view already draws. */
  private countIn(from: number): void {
    if (this.mode !== "watch") this.wayBack?.guard();
    this.phase = "countdown";
    clearTimeout(this.countdown);
    this.countBox.hidden = from === 0;
    this.loop?.start();
    if (from === 0) {
      this.phase = "playing";
      if (this.player && this.rules?.ticksPerSecond === 0) this.playMoves();
      return;
    }
    this.countBox.replaceChildren(h("b", { class: "num" }, String(from)));
    this.sound.play([0.5, 0, 440 + (3 - from) * 110, 0.005, 0.03, 0.08, 1, 1.6]);
    this.countdown = window.setTimeout(() => this.countIn(from - 1), COUNTDOWN_STEP);
  }

  /** Runs one tick of a game in time. */
  private readonly tick = (): boolean => {
    if (this.phase !== "playing" || !this.run) return true;
    let input = this.queue.length > 0 ? (this.queue.shift() ?? 0) : this.held;
    if (this.player) {
      const recorded = this.player.next();
      if (recorded === null) {
        this.finish();
        return false;
      }
      input = recorded;
    }
    let result = this.run.step(input);
    // A refused input must not stop the clock.
    if (result === StepResult.NotAllowed) {
      input = 0;
      result = this.run.step(0);
    }
    this.view?.stepped?.(input, result);
    this.showScore(this.run.score);
    if (result === StepResult.Over) this.finish();
    else if (this.run.steps % KEEP_STEPS === 0) this.keep();
    return true;
  };

  private readonly frame = (alpha: number, seconds: number): void => {
    if (this.phase === "title") this.view?.attract?.(seconds);
    else this.view?.frame?.(this.phase === "playing" ? alpha : 0, seconds);
  };

  private move(input: number): number {
    if (!this.run) return StepResult.NotAllowed;
    const result = this.run.step(input);
    if (result === StepResult.NotAllowed) return result;
    this.view?.stepped?.(input, result);
    if (!this.view?.holdsScore) this.showScore(this.run.score);
    if (result === StepResult.Over) this.finish();
    else this.keep();
    return result;
  }

  /** Plays the moves of a watched run, with pauses to follow them. */
  private playMoves(): void {
    const { run } = this;
    // Each start, restart and resume has a number, which makes older timers stop.
    const turn = ++this.turn;
    const next = async (): Promise<void> => {
      if (this.run !== run || this.turn !== turn) return;
      if (this.phase !== "playing") return;
      await this.view?.settled?.();
      if (this.run !== run || this.turn !== turn || this.phase !== "playing") return;
      const input = this.player?.next();
      if (input === null || input === undefined) this.finish();
      else {
        this.move(input);
        window.setTimeout(() => void next(), MOVE_PAUSE / this.speed);
      }
    };
    // Show the board before its first move.
    window.setTimeout(() => void next(), MOVE_PAUSE / this.speed);
  }

  /** Pauses a run; returns whether there was one. */
  private pause(): boolean {
    if (this.phase !== "playing" && this.phase !== "countdown") return false;
    if (!this.keep()) return true;
    clearTimeout(this.countdown);
    this.countBox.hidden = true;
    this.phase = "paused";
    this.loop?.stop();
    this.view?.paused?.();
    const resume = (): void => {
      if (!this.keep()) return;
      this.show(null);
      this.view?.resumed?.();
      this.countIn((this.rules?.ticksPerSecond ?? 0) > 0 && this.mode !== "watch" ? 3 : 0);
    };
    const open = (): void =>
      this.show(
        pauseScreen(this.context(), {
          mode: this.mode,
          onResume: resume,
          onRestart: () => this.begin(),
          onHowTo: () => this.showTutorial(open),
        }),
      );
    open();
    this.resume = resume;
    return true;
  }

  /** The speed of a watched run. */
  private speed = 1;
  private turn = 0;
  /** Whether Play was pressed before the rules had loaded. */
  private wantsToBegin = false;
  private opened = false;
  private resume = (): void => {};

  private finish(): void {
    const run = this.run;
    if (!run || this.phase === "ending" || this.phase === "result") return;
    this.phase = "ending";
    const score = run.score;
    const inputs = run.inputs();
    if (this.mode !== "watch" && score > this.memory.best) {
      this.memory.best = score;
      writeGame(this.game.slug, this.memory);
    }
    if (this.mode !== "watch" && this.game.ghost)
      keepGhost(this.game.slug, { seed: String(run.seed), level: run.level, inputs, score });
    let result: ResultScreen | null = null;
    let report: Parameters<ResultScreen["show"]>[0] | null = null;
    this.ranked?.report(inputs, score, (state) => {
      report = state;
      result?.show(state);
    });
    const ending = Promise.race([
      Promise.resolve(this.view?.ended?.()),
      new Promise((resolve) => setTimeout(resolve, LONGEST_ENDING)),
    ]);
    void ending.then(() => {
      this.phase = "result";
      this.loop?.stop();
      this.hud.hidden = true;
      result = resultScreen(this.context(), {
        mode: this.mode,
        score,
        best: this.bestBefore,
        own: this.view?.result?.() ?? {},
        againUrl: this.mode === "ranked" ? this.links.compete : null,
        boardUrl: this.mode === "practice" ? null : this.links.board,
        competeUrl: this.links.compete,
        offline: !navigator.onLine,
        guest: this.launch.guest,
        onAgain: () => this.begin(),
      });
      this.show(result.element);
      if (report) result.show(report);
      if (result.celebrates) {
        this.host().vibrate([20, 60, 40]);
        this.sound.play([0.8, 0, 523, 0.02, 0.2, 0.3, 1, 1.4, 0, 0, 262, 0.08]);
      }
    });
  }

  private onKey(event: KeyboardEvent, down: boolean): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (down && (event.code === "Escape" || event.code === "KeyP") && !event.repeat) {
      if (this.phase === "playing" || this.phase === "countdown") this.pause();
      else if (this.phase === "paused") this.resume();
      return;
    }
    // Keys go to the game, except those that a focused button would take.
    const onButton =
      event.target instanceof HTMLElement &&
      event.target.closest("button, a") &&
      this.hud.contains(event.target);
    if (this.phase !== "playing" || onButton) return;
    if (this.view?.key?.(event.code, down)) event.preventDefault();
  }

  /** Sends the runs of earlier starts that had no network. */
  private sendKept(): void {
    if (!navigator.onLine) return;
    const current = this.ranked?.session;
    void sendPending(
      {
        origin: this.origin,
        except: this.phase === "ending" || this.phase === "result" ? current : undefined,
      },
      (run, state) => {
        if (run.session === current) return;
        const isTaken = state.kind === "taken";
        this.notice = isTaken
          ? this.text("keptSent", formatNumber(state.standing.points))
          : this.text("keptRefused");
        if (this.phase === "title") this.showTitle();
      },
    );
  }
}
