import "./shell.css";
import "./result.css";
import { AppFrame } from "./appFrame";
import { Countdown } from "./countdown";
import { h, paintWorld } from "./dom";
import { Hud } from "./hud";
import { linksOf } from "./links";
import { FixedLoop } from "./loop";
import { MovePlayer } from "./movePlayer";
import type { Pieces } from "./pieces";
import { RankedRun } from "./rankedRun";
import { sendPending } from "./report";
import { instantiateRules, loadRules } from "./rules";
import { InputPlayer, playAgain, practiceSeed, Run } from "./run";
import {
  failureScreen,
  pauseScreen,
  type ResultScreen,
  resultScreen,
  titleScreen,
  tutorialScreen,
} from "./screens";
import { registerServiceWorker } from "./serviceWorker";
import { Sound } from "./sound";
import { ghostOf, keepGhost, keepIn, readGame, readSettings, writeGame, writeSettings } from "./store";
import { chooseLanguage, formatNumber, translate } from "./texts";
import { appOrigin, type Launch, readLaunch } from "./ticket";
import { type Game, type Host, type Mode, type Rules, StepResult, type View } from "./types";
import { cutResult } from "./verdict";
import { WayBack } from "./wayBack";

const LONGEST_ENDING = 4000;
/** A ranked run in time is kept on the phone so often, in steps. */
const KEEP_STEPS = 60;

/** Starts a game in `#game` of its page, with everything that all games have in common. */
export async function startGame(game: Game): Promise<void> {
  const origin = appOrigin();
  const app = await AppFrame.open(origin);
  if (app) keepIn(app.kept);
  await new Shell(game, origin, app).open();
}

type Phase = "title" | "countdown" | "playing" | "waiting" | "paused" | "ending" | "result";

class Shell {
  private readonly launch: Launch = readLaunch(location.href);
  private readonly links;
  private readonly settings = readSettings();
  private readonly memory;
  private readonly sound = new Sound(this.settings.sound);
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  private readonly hud = new Hud(this.reducedMotion);
  private language = chooseLanguage(this.launch.language, this.settings.language, navigator.languages ?? []);
  private readonly box: HTMLElement;
  private readonly stage = h("div", { class: "stage" });
  private readonly said = h("p", { class: "said", "aria-live": "assertive" });
  private readonly countdown = new Countdown(this.sound);
  private screen: HTMLElement | null = null;
  private phase: Phase = "title";
  private mode: Mode = "practice";
  private rules: Rules | null = null;
  private rulesBytes: ArrayBuffer = new ArrayBuffer(0);
  private view: View | null = null;
  private run: Run | null = null;
  private ranked: RankedRun | null = null;
  private pieces: Pieces | null = null;
  private wayBack: WayBack | null = null;
  private isBeginning = false;
  private loop: FixedLoop | null = null;
  private player: InputPlayer | null = null;
  private readonly moves = new MovePlayer();
  private level = 0;
  private notice: string | null = null;
  private readonly queue: number[] = [];
  private held = 0;
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
    this.box.replaceChildren(this.stage, this.hud.element, this.countdown.element, this.said);
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
    const named = this.ranked?.rules ?? this.launch.recording;
    const bytes = named ? loadRules(named.rules, named.sha256) : loadRules("rules.wasm");
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
      showScore: (score) => this.hud.showScore(score),
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
    if (this.mode !== "watch") {
      this.hud.playing(this.context(), this.memory.best, () => this.pause());
      return;
    }
    const showSpeed = this.hud.watching(this.context(), {
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
  }

  private show(screen: HTMLElement | null): void {
    this.screen?.remove();
    this.screen = screen;
    this.hud.element.inert = screen !== null;
    this.stage.inert = screen !== null;
    if (!screen) return;
    this.box.append(screen);
    // The first screen takes no focus: browsers would draw a focus ring without a tap.
    if (!this.opened) this.opened = true;
    else screen.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
  }

  private showTitle(): void {
    this.phase = "title";
    this.hud.element.hidden = true;
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
    else if (this.mode === "watch" && recording) {
      const { seed, nextSeeds, level } = recording;
      this.start(new Run(rules, seed, level, "watch", (piece) => nextSeeds[piece - 1]), view);
    } else this.start(new Run(rules, practiceSeed(this.game), this.level, "practice"), view);
  }

  private async beginRanked(ranked: RankedRun, rules: Rules, view: View): Promise<void> {
    if (this.isBeginning) return;
    if (!ranked.waits) {
      this.isBeginning = true;
      this.notice = null;
      this.showTitle();
    }
    const beginning = await ranked.begin(rules.pieceSteps > 0);
    this.isBeginning = false;
    if (beginning.kind === "lost") {
      this.notice = this.text("notBegun");
      this.showTitle();
    } else if (beginning.kind === "refused") this.practise(beginning.message || this.text("refused"));
    else {
      const { seed, level, inputs } = beginning.start;
      const pieces = ranked.pieces(beginning.start, {
        onSeed: () => {
          // A run that has waited goes on: thumbs need a moment.
          if (this.phase === "waiting") this.countIn(rules.ticksPerSecond > 0 ? 3 : 0);
        },
        onEnd: (refusal) => this.endPieces(refusal),
      });
      this.pieces?.close();
      this.pieces = pieces;
      const run = new Run(rules, seed, level, "ranked", (piece) => pieces?.seeds[piece]);
      try {
        playAgain(run, inputs, () => view.replayed?.(run));
      } catch {
        ranked.forget();
        return this.practise(this.text("refused"));
      }
      this.start(run, view);
      pieces?.commit(run.pieces);
    }
  }

  /** Waits for the seed of the next piece, which the network has not brought yet. */
  private wait(): void {
    this.phase = "waiting";
    this.loop?.stop();
    this.queue.length = 0;
    this.held = 0;
    this.countdown.say(this.text("waiting"));
    this.said.textContent = this.text("waiting");
  }

  /** Ends a live run of which the app takes no more pieces, or has it go on from what the app has of it. */
  private endPieces({ code, message }: { code: string; message: string }): void {
    const isTaken = code === "PIECE_TAKEN";
    if (isTaken || (code === "RUN_TOO_LATE" && this.pieces?.isUnplayed)) {
      // The app says how the run goes on: from what another page has committed, or from its beginning.
      this.ranked?.askAgain();
      this.countdown.stop();
      this.notice = this.text(isTaken ? "elsewhere" : "beginsAgain");
      this.showTitle();
    } else if (code === "RUN_TOO_LATE") this.finish();
    else {
      this.ranked?.forget();
      this.practise(message || this.text("refused"));
    }
  }

  /** Shows the title screen for practice, and why the ranked run cannot be played. */
  private practise(reason: string): void {
    this.loop?.stop();
    this.countdown.stop();
    this.mode = "practice";
    this.ranked = null;
    this.pieces?.close();
    this.pieces = null;
    this.notice = reason;
    this.showTitle();
  }

  /** Keeps a ranked run on the phone, so that it goes on after a reload; returns false if another page plays it. */
  private keep(): boolean {
    const { run, ranked, pieces } = this;
    if (!run || run.over || !ranked || ranked.keep(run.inputs(), pieces?.seeds.slice(1) ?? [])) return true;
    this.practise(this.text("elsewhere"));
    return false;
  }

  /** Commits the pieces that are over. They are kept before, so that a reload goes on after them. */
  private keepAndCommit(): void {
    if (this.keep() && this.run) this.pieces?.commit(this.run.pieces);
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
    this.notice = null;
    this.buildHud();
    this.hud.start(this.bestBefore);
    this.show(null);
    this.hud.showScore(run.score);
    view.start(run);
    this.countIn(run.rules.ticksPerSecond > 0 && this.mode !== "watch" ? 3 : 0);
    // The run may begin after the player has gone to another app.
    if (document.hidden && this.mode !== "watch") this.pause();
  }

  /** Counts down 3, 2, 1 for a game in time: thumbs need a moment after a screen. The view already draws. */
  private countIn(from: number): void {
    if (this.mode !== "watch") this.wayBack?.guard();
    this.phase = "countdown";
    this.loop?.start();
    this.countdown.start(from, () => {
      this.phase = "playing";
      if (this.player && this.rules?.ticksPerSecond === 0) this.playMoves();
    });
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
    if (result === StepResult.Waits) {
      if (this.player) this.finish();
      else this.wait();
      return false;
    }
    // A refused input must not stop the clock.
    if (result === StepResult.NotAllowed) {
      input = 0;
      result = this.run.step(0);
    }
    this.view?.stepped?.(input, result);
    this.hud.showScore(this.run.score);
    if (result === StepResult.Over) this.finish();
    else if (this.run.steps % KEEP_STEPS === 0 || this.run.isPieceOver) this.keepAndCommit();
    return true;
  };

  private readonly frame = (alpha: number, seconds: number): void => {
    if (this.phase === "title") this.view?.attract?.(seconds);
    else this.view?.frame?.(this.phase === "playing" ? alpha : 0, seconds);
  };

  private move(input: number): number {
    if (!this.run) return StepResult.NotAllowed;
    const result = this.run.step(input);
    if (result === StepResult.Waits) this.wait();
    if (result > StepResult.Over) return StepResult.NotAllowed;
    this.view?.stepped?.(input, result);
    if (!this.view?.holdsScore) this.hud.showScore(this.run.score);
    if (result === StepResult.Over) this.finish();
    else this.keepAndCommit();
    return result;
  }

  /** Plays the moves of a watched run. */
  private playMoves(): void {
    const { run } = this;
    this.moves.start({
      plays: () => this.run === run && this.phase === "playing",
      settled: async () => this.view?.settled?.(),
      speed: () => this.speed,
      next: () => {
        const input = this.player?.next() ?? null;
        if (input === null) this.finish();
        else this.move(input);
        return input !== null;
      },
    });
  }

  /** Pauses a run; returns whether there was one. */
  private pause(): boolean {
    if (!["playing", "countdown", "waiting"].includes(this.phase)) return false;
    if (!this.keep()) return true;
    this.countdown.stop();
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
          live: this.pieces !== null,
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
  /** Whether Play was pressed before the rules had loaded. */
  private wantsToBegin = false;
  private opened = false;
  private resume = (): void => {};

  private finish(): void {
    const run = this.run;
    if (!run || this.phase === "ending" || this.phase === "result") return;
    this.phase = "ending";
    this.loop?.start();
    this.countdown.stop();
    this.show(null);
    const score = run.score;
    const inputs = run.inputs();
    // The page does not know how many points of a run count that was cut short.
    if (this.mode !== "watch" && run.over && score > this.memory.best) {
      this.memory.best = score;
      writeGame(this.game.slug, this.memory);
    }
    this.pieces?.close();
    // The course of a live run is played once.
    if (this.mode !== "watch" && this.game.ghost && !this.pieces)
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
      this.hud.element.hidden = true;
      result = resultScreen(this.context(), {
        mode: this.mode,
        score,
        best: this.bestBefore,
        own: run.over ? (this.view?.result?.() ?? {}) : cutResult(this.language),
        againUrl: this.mode === "ranked" ? this.links.compete : null,
        boardUrl: this.mode === "practice" ? null : this.links.board,
        competeUrl: this.links.compete,
        guest: this.launch.guest,
        onAgain: () => this.begin(),
        onShare: this.app?.share ?? null,
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
      if (this.phase === "paused") this.resume();
      else this.pause();
      return;
    }
    // Keys go to the game, except those that a focused button would take.
    const onButton =
      event.target instanceof HTMLElement &&
      event.target.closest("button, a") &&
      this.hud.element.contains(event.target);
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
        this.notice =
          state.kind === "taken"
            ? this.text("keptSent", formatNumber(state.standing.points))
            : this.text("keptRefused");
        if (this.phase === "title") this.showTitle();
      },
    );
  }
}
