import { type Answer, callApp, sleep } from "./app";
import { parseSeed } from "./ticket";

export interface PiecesOptions {
  origin: string;
  fetch?: typeof fetch;
  wait?: (milliseconds: number) => Promise<void>;
  /** Called when the seed of another piece has come. */
  onSeed(): void;
  /** Called when the app takes no more pieces of the run. */
  onEnd(refusal: Extract<Answer, { kind: "refused" }>): void;
}

/** A page knows the seeds of the piece that it plays and of the next one. */
const AHEAD = 2;
const WAIT = 1000;
/** A lost call is repeated soon: the run waits for it. In milliseconds. */
const TIMEOUT = 6000;

/** The pieces of a live run: each is committed when it is over, and gives the seed of another. */
export class Pieces {
  private played: readonly string[] = [];
  private sending = false;
  private closed = false;

  /** `seeds` are those that the page knows, the first piece's among them. */
  constructor(
    private readonly session: string,
    readonly seeds: bigint[],
    private readonly options: PiecesOptions,
  ) {}

  /** Whether no piece is committed yet. */
  get isUnplayed(): boolean {
    return this.seeds.length === AHEAD;
  }

  /** Commits the pieces that are over, in their order. */
  commit(pieces: readonly string[]): void {
    this.played = pieces;
    if (!this.sending && !this.closed) void this.send();
  }

  /** Commits no more pieces: the run is over, or is left. */
  close(): void {
    this.closed = true;
  }

  private async send(): Promise<void> {
    this.sending = true;
    while (!this.closed) {
      // Each committed piece has given one seed.
      const index = this.seeds.length - AHEAD;
      const inputs = this.played[index];
      if (inputs === undefined) break;
      await this.sendPiece(index, inputs);
    }
    this.sending = false;
  }

  private async sendPiece(index: number, inputs: string): Promise<void> {
    const { origin, fetch, wait = sleep, onSeed, onEnd } = this.options;
    const answer = await callApp(
      origin,
      "/api/runs/pieces",
      { session: this.session, index, inputs },
      fetch,
      TIMEOUT,
    );
    if (this.closed) return;
    const seed = answer.kind === "done" ? readSeed(answer.payload) : null;
    if (seed !== null) {
      this.seeds.push(seed);
      onSeed();
    } else if (answer.kind === "refused" && answer.code !== "PIECE_TOO_EARLY") {
      this.close();
      onEnd(answer);
    } else await wait(Math.max(WAIT, answer.kind === "lost" ? answer.retryAfter : 0));
  }
}

function readSeed(payload: unknown): bigint | null {
  const { seed } = (payload ?? {}) as { seed?: unknown };
  return typeof seed === "string" ? parseSeed(seed) : null;
}
