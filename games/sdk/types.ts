/** The types that a game and the shell share. */

export type Language = "en" | "sw";

/** A text in every language of the shell. */
export type Text = Record<Language, string>;

/** The colours of a game (#rrggbb): its hue, a deep and an edge tone, a glow for small things, and a texture as a CSS image. */
export interface World {
  hue: string;
  deep: string;
  edge: string;
  glow: string;
  texture: string;
}

/** One of the (at most three) gestures that the tutorial shows before the first run. */
export interface Gesture {
  /** SVG markup, drawn 132 by 96 pixels. */
  picture: string;
  text: Text;
}

/** The results of a step: the rules return the first three, and `Waits` says that the next piece has not come yet. */
export const StepResult = { GoOn: 0, Over: 1, NotAllowed: 2, Waits: 3 } as const;

/** A loaded rules module: its exports by the ABI (README.md). */
export interface Rules {
  readonly ticksPerSecond: number;
  readonly inputs: number;
  readonly memory: WebAssembly.Memory;
  /** Steps of a piece; 0 in a game without pieces. */
  readonly pieceSteps: number;
  init(seed: bigint, level: number): void;
  /** Gives the seed of the piece that begins with the next step. */
  feed(seed: bigint): void;
  step(input: number): number;
  score(): number;
  /** The address in `memory` of the state that the view reads. */
  state(): number;
  /** The kind of the thing that the player met in the last step after a press for it; 0 without one. */
  answeredKind(): number;
  /** How many steps earlier that press came. */
  answeredTicks(): number;
}

/** practice: no session, nothing is sent. ranked: a session of the server. watch: somebody's recorded inputs. */
export type Mode = "practice" | "ranked" | "watch";

/** One play of a game. The shell creates it; views read it. */
export interface RunInfo {
  readonly rules: Rules;
  readonly seed: bigint;
  readonly level: number;
  readonly mode: Mode;
  /** The number of `step` calls so far that changed something: ticks, or moves. */
  readonly steps: number;
  readonly over: boolean;
  readonly score: number;
}

/** The functions of the shell that a game may use. The shell passes it to `createView` once. */
export interface Host {
  /** Fills the play screen, below the score plate and the round buttons. The view draws into it. */
  readonly root: HTMLElement;
  readonly language: Language;
  /** Whether the player asked for less motion: no shake, no flights, no flashes. */
  readonly reducedMotion: boolean;
  /** The player's best score in this game on this phone, 0 without one. */
  readonly best: number;
  /** The player's own best run of this seed and level, to race against. Only for a game with `ghost`. */
  readonly ghost: { inputs: string; score: number } | null;
  /** Another instance of the same rules, e.g. for a ghost or to look ahead. */
  newRules(): Promise<Rules>;
  /** For a game in time: gives `input` to the next tick. Several presses go to one tick each, in order. */
  press(input: number): void;
  /** For a game in time: sets the input of all ticks without a press, until changed. 0 at first. */
  hold(input: number): void;
  /** For a game of moves: plays the move and returns the result of `step`. After 1 the shell calls `ended`. */
  move(input: number): number;
  /** Plays a zzfx sound (its parameter list) when sound is on. */
  sound(parameters: readonly (number | undefined)[]): void;
  /** Vibrates for so many milliseconds, where the phone allows it. */
  vibrate(pattern: number | number[]): void;
  /** Text that a screen reader says at once (a capture, a word, a hit). */
  announce(text: string): void;
  /** Sets the score on the plate. The shell does so after every step, so a game needs it only to delay the score during an animation. */
  showScore(score: number): void;
}

/** The functions of a game that the shell calls. Only `start` is required. */
export interface View {
  /** Called when a run was initialised (also by Play again), or goes on after it was left: read the state and draw it. */
  start(run: RunInfo): void;
  /** Called before `start`, after each step that a run which goes on had before it was left. */
  replayed?(run: RunInfo): void;
  /** Called after each tick (a game in time) or each move (also those of a watched run). */
  stepped?(input: number, result: number): void;
  /** Called on every animation frame during the run. `alpha` (0 to 1) is the fraction of time between the last tick and the next. */
  frame?(alpha: number, seconds: number): void;
  /** Called when a key goes down or up during the run (`KeyboardEvent.code`). Returns true when the game uses it. */
  key?(code: string, down: boolean): boolean;
  /** Called on every animation frame behind the title screen, for a game that shows its scene there instead of `art`. */
  attract?(seconds: number): void;
  /** Set when the view calls `showScore` itself, because points come with an animation. */
  readonly holdsScore?: boolean;
  /** Settles when the animation of the last move is over; a watched game of moves waits for it. */
  settled?(): Promise<void>;
  paused?(): void;
  resumed?(): void;
  /** Called at the end of the run. The result screen appears when the promise settles: time for the last animation (2 s at most). */
  ended?(): void | Promise<void>;
  /** Returns additions to the result screen. */
  result?(): Result;
}

/** A game's additions to the result screen. */
export interface Result {
  /** The text on the ribbon, instead of the shell's. */
  ribbon?: string;
  /** The character's mood; by default it cheers at a new best and waves otherwise. A new best is celebrated only if it cheers. */
  mood?: "cheer" | "sulk" | "wave";
  /** The line below the score, in place of the comparison with the best. */
  line?: string;
  /** A card of the game below the score: an element with any content (e.g. the longest word that was not found). */
  card?: HTMLElement;
}

/** A level that a player may choose for practice; a session names its level itself. */
export interface Level {
  level: number;
  name: Text;
}

export interface Game {
  slug: string;
  title: string;
  /** One line under the title. */
  tagline: Text;
  world: World;
  /** URL of a picture for the title screen, 400 by 300; without it the view's `attract` draws there. */
  art?: string;
  /** At most three gestures. */
  gestures: Gesture[];
  /** The levels of practice; without them there is only level 0. */
  levels?: Level[];
  /** Keyboard keys, shown on the pause screen, e.g. `["Space", {en: "Jump", sw: "Ruka"}]`. */
  keys?: [string, Text][];
  /** The seed of practice: a new one each run (the default), or one for each day, so that a course can be learnt. */
  practiceSeed?: "random" | "daily";
  /** Stores the inputs of the best run of the last course on the phone, for `host.ghost`. */
  ghost?: boolean;
  /** Hides the shell's score plate for a game that draws its own. */
  ownScore?: boolean;
  createView(host: Host): View | Promise<View>;
}
