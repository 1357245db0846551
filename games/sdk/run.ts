import { decodeInputs, InputRecorder } from "./inputs";
import { type Game, type Mode, type Rules, type RunInfo, StepResult } from "./types";

/** One play: rules, seed and level, with every input recorded. */
export class Run implements RunInfo {
  steps = 0;
  over = false;
  private readonly recorder: InputRecorder;

  constructor(
    readonly rules: Rules,
    readonly seed: bigint,
    readonly level: number,
    readonly mode: Mode,
  ) {
    this.recorder = new InputRecorder(rules.ticksPerSecond > 0);
    rules.init(seed, level);
  }

  get score(): number {
    return this.rules.score();
  }

  /** Plays one input. A refused input changes nothing and is not recorded. */
  step(input: number): number {
    if (this.over) return StepResult.NotAllowed;
    const result = this.rules.step(input);
    if (result === StepResult.NotAllowed) return result;
    this.recorder.push(input);
    this.steps++;
    if (result === StepResult.Over) this.over = true;
    return result;
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
      if (run.step(input) === StepResult.NotAllowed) throw new Error("An input is not allowed.");
      played();
    }
  }
}

/** Plays recorded inputs to their end, as the server does; for tests and for the score of a watched run. */
export function replay(rules: Rules, seed: bigint, level: number, inputs: string): Run {
  const run = new Run(rules, seed, level, "watch");
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
