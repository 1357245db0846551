/** Longest time that one frame may catch up; beyond it the game slows down instead of jumping. */
const MAX_CATCH_UP_SECONDS = 0.1;

/** Calls `tick` at a fixed rate and `frame` once per display frame, with the fraction of a tick that has passed since the last. */
export class FixedLoop {
  private handle = 0;
  private last = 0;
  private rest = 0;
  /** The speed as a multiple of real time: a watched run may be faster. */
  speed = 1;
  private readonly tickSeconds: number;

  constructor(
    ticksPerSecond: number,
    private readonly tick: () => boolean,
    private readonly frame: (alpha: number, seconds: number) => void,
  ) {
    this.tickSeconds = ticksPerSecond > 0 ? 1 / ticksPerSecond : 0;
  }

  get running(): boolean {
    return this.handle !== 0;
  }

  start(): void {
    if (this.handle) return;
    this.last = 0;
    this.handle = requestAnimationFrame(this.onFrame);
  }

  stop(): void {
    cancelAnimationFrame(this.handle);
    this.handle = 0;
  }

  /** Runs the ticks of a frame until `tick` returns false. */
  private readonly onFrame = (now: number): void => {
    const passed = this.last ? Math.min((now - this.last) / 1000, MAX_CATCH_UP_SECONDS) : 0;
    const seconds = passed * this.speed;
    this.last = now;
    this.handle = requestAnimationFrame(this.onFrame);
    if (this.tickSeconds > 0) {
      this.rest += seconds;
      // On a display of about the tick's rate, a frame that is slightly early or late still counts as one tick, so that motion is even.
      const nearly = Math.round(this.rest / this.tickSeconds);
      if (Math.abs(this.rest - nearly * this.tickSeconds) < 0.0006)
        this.rest = nearly * this.tickSeconds + 1e-9;
      while (this.rest >= this.tickSeconds) {
        this.rest -= this.tickSeconds;
        if (!this.tick()) return;
      }
    }
    this.frame(this.tickSeconds > 0 ? this.rest / this.tickSeconds : 0, seconds);
  };
}
