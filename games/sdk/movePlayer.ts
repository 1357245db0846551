/** Pause between two moves of a watched run, in milliseconds, after the view's animation. */
const PAUSE = 800;

export interface MovePlayerOptions {
  /** Plays the next move; returns false after the last one. */
  next(): boolean;
  /** Whether the run goes on. */
  plays(): boolean;
  /** Settles when the view's animation is over. */
  settled(): Promise<void>;
  speed(): number;
}

/** Plays the moves of a watched run, with pauses to follow them. */
export class MovePlayer {
  /** Each start has a number, which makes older timers stop. */
  private turn = 0;

  start({ next, plays, settled, speed }: MovePlayerOptions): void {
    const turn = ++this.turn;
    const isOn = (): boolean => this.turn === turn && plays();
    const step = async (): Promise<void> => {
      if (!isOn()) return;
      await settled();
      if (isOn() && next()) wait();
    };
    const wait = (): void => void window.setTimeout(() => void step(), PAUSE / speed());
    // The board is shown before its first move.
    wait();
  }
}
