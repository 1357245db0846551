import { decodeInputs, InputRecorder } from "./inputs";
import { type Game, type Mode, type Rules, type RunInfo, StepResult } from "./types";

/** The seeds of a practice run's pieces differ by this odd number, so that they are all different. */
const PRACTICE_STEP = 0x9e37_79b9_7f4a_7c15n;

/** The seed of a piece after the first one, by its number; undefined as long as the page does not know it. */
export type SeedOf = (piece: number) => bigint | undefined;

/** One play: rules, seeds and level, with every input recorded. */
export class Run implements RunInfo {
  steps = 0;
  over = false;
  /** The inputs of the pieces that are over, in the server's format. */
  readonly pieces: string[] = [];
  private readonly recorder: InputRecorder;
  private piece: InputRecorder;
  /** The number of the piece whose seed the rules have. */
  private fed = 0;

  /** `seed` is that of the first piece; without `seedOf` the others follow from it, as practice has them. */
  constructor(
    readonly rules: Rules,
    readonly seed: bigint,
    readonly level: number,
    readonly mode: Mode,
    private readonly seedOf: SeedOf = (piece) => BigInt.asIntN(64, seed + BigInt(piece) * PRACTICE_STEP),
  ) {
    this.recorder = this.newRecorder();
    this.piece = this.newRecorder();
    rules.init(seed, level);
  }

  private newRecorder(): InputRecorder {
    return new InputRecorder(this.rules.ticksPerSecond > 0);
  }

  get score(): number {
    return this.rules.score();
  }

  /** Plays one input. An input that is refused or has to wait changes nothing and is not recorded. */
  step(input: number): number {
    if (this.over) return StepResult.NotAllowed;
    if (!this.feed()) return StepResult.Waits;
    const result = this.rules.step(input);
    if (result === StepResult.NotAllowed) return result;
    this.recorder.push(input);
    this.piece.push(input);
    this.steps++;
    if (result === StepResult.Over) this.over = true;
    if (this.isPieceOver) {
      this.pieces.push(this.piece.toBase64());
      this.piece = this.newRecorder();
    }
    return result;
  }

  /** Whether a piece has ended with the last step. */
  get isPieceOver(): boolean {
    const { pieceSteps } = this.rules;
    return pieceSteps > 0 && this.steps % pieceSteps === 0;
  }

  /** Gives the rules the seed of the piece that the next step is in; returns false if it has not come yet. */
  private feed(): boolean {
    const { pieceSteps } = this.rules;
    if (pieceSteps === 0 || this.steps < (this.fed + 1) * pieceSteps) return true;
    const seed = this.seedOf(this.fed + 1);
    if (seed === undefined) return false;
    this.rules.feed(seed);
    this.fed++;
    return true;
  }

  /** The inputs so far, in the server's format. */
  inputs(): string {
    return this.recorder.toBase64();
  }
}

/** Returns the seed of a practice run. */
export function practiceSeed(game: Pick<Game, "practiceSeed">): bigint {
  if (game.practiceSeed === "daily") return BigInt(Math.floor(Date.now() / 86_400_000)) * 7_919n;
  // `getRandomValues` of Chrome 92 refuses a `BigInt64Array`.
  return new BigInt64Array(crypto.getRandomValues(new Uint32Array(2)).buffer)[0] ?? 1n;
}

/** Plays the inputs of a run that was left, and calls `played` after each step. */
export function playAgain(run: Run, inputs: string, played: () => void): void {
  for (const [steps, input] of decodeInputs(inputs)) {
    for (let count = 0; count < steps; count++) {
      if (run.step(input) > StepResult.Over) throw new Error("An input is not allowed.");
      played();
    }
  }
}

/** Plays recorded inputs to their end, as the server does; for tests and for the score of a watched run. */
export function replay(rules: Rules, seed: bigint, level: number, inputs: string, seedOf?: SeedOf): Run {
  const run = new Run(rules, seed, level, "watch", seedOf);
  playAgain(run, inputs, () => {});
  return run;
}

/** Returns recorded inputs one by one. */
export class InputPlayer {
  private readonly pairs: [number, number][];
  private index = 0;
  private used = 0;

  constructor(inputs: string) {
    this.pairs = decodeInputs(inputs);
  }

  /** The next input, or null at the end. */
  next(): number | null {
    const pair = this.pairs[this.index];
    if (!pair) return null;
    if (this.used < pair[0]) {
      this.used++;
      return pair[1];
    }
    this.index++;
    this.used = 0;
    return this.next();
  }
}
