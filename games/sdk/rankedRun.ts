import type { Answer } from "./app";
import type { AppFrame } from "./appFrame";
import { beginRun } from "./begin";
import { Pieces, type PiecesOptions } from "./pieces";
import { type ReportState, reportRun } from "./report";
import { forgetRun, type KeptRun, keepRun, readKeptRun } from "./store";
import type { Launch, Ticket } from "./ticket";

/** The state from which a run is played: its inputs are empty at the beginning. */
export interface RunStart {
  seed: bigint;
  /** In a live run the seeds of the following pieces. */
  nextSeeds: bigint[];
  level: number;
  inputs: string;
}

export type Beginning = { kind: "begun"; start: RunStart } | Exclude<Answer, { kind: "done" }>;

/** The run of a ticket: the app begins it, the phone keeps it until it is over, and the app gets its score. */
export class RankedRun {
  private kept: KeptRun | null;
  /** Marks what this page keeps: another page that goes on with the run takes it over. */
  private readonly page = String(Math.random());

  constructor(
    private readonly slug: string,
    private readonly ticket: Ticket,
    private readonly launch: Launch,
    private readonly origin: string,
    private readonly app: AppFrame | null,
  ) {
    const kept = this.stored();
    this.kept = kept?.game === ticket.game ? kept : null;
  }

  /** Whether the run was left, and goes on. */
  get waits(): boolean {
    return this.kept !== null && this.kept.seed !== "";
  }

  /** The session that the score ends: a run that goes on has that of its own ticket. */
  get session(): string {
    return (this.kept ?? this.ticket).session;
  }

  /** The rules module of the run. */
  get rules(): { rules: string; sha256: string } {
    return this.kept ?? this.ticket;
  }

  /** Goes on with a run that was left, or asks the app to begin one: it counts from then on. */
  async begin(isLive: boolean): Promise<Beginning> {
    if (!this.waits) {
      const refusal = await this.beginNew();
      if (refusal) return refusal;
    }
    const { kept } = this;
    if (!kept) return { kind: "lost", retryAfter: 0 };
    // An app of an earlier release knows no pieces: it is asked again later.
    if (isLive && kept.nextSeeds.length === 0) {
      this.askAgain();
      return { kind: "lost", retryAfter: 0 };
    }
    this.put(kept);
    const { level, inputs } = kept;
    const nextSeeds = kept.nextSeeds.map(BigInt);
    return { kind: "begun", start: { seed: BigInt(kept.seed), nextSeeds, level, inputs } };
  }

  /**
   * Asks the app to begin a run. The session is kept before the call: the run may have begun although the reply was
   * lost, and then a later page asks for the same one.
   */
  private async beginNew(): Promise<Exclude<Beginning, { kind: "begun" }> | null> {
    const { username } = this.launch;
    const none = {
      seed: "",
      nextSeeds: [],
      level: 0,
      inputs: "",
      begunAt: Date.now(),
      page: this.page,
      username,
    };
    const asked = this.kept ?? { ...this.ticket, ...none };
    this.put(asked);
    const beginning = await beginRun(asked.session, { origin: this.origin });
    if (beginning.kind === "begun") {
      const { seed, nextSeeds, level, inputs } = beginning.run;
      this.kept = { ...asked, seed: String(seed), nextSeeds: nextSeeds.map(String), level, inputs };
      return null;
    }
    if (beginning.kind === "lost") return beginning;
    this.forget();
    this.kept = null;
    // The earlier session is over: this ticket's own is asked, unless the loaded rules are not its.
    const isEarlier = asked.session !== this.ticket.session;
    return isEarlier && asked.sha256 === this.ticket.sha256 ? this.beginNew() : beginning;
  }

  /** Keeps the inputs and seeds so far on the phone; returns false if another page has gone on with the run. */
  keep(inputs: string, nextSeeds: bigint[]): boolean {
    const stored = this.stored();
    if (!this.kept || stored?.session !== this.kept.session) return true;
    if (stored.page !== this.page) return false;
    this.put({ ...this.kept, inputs, nextSeeds: nextSeeds.map(String) });
    return true;
  }

  /** The pieces of the run, if it is live. */
  pieces({ seed, nextSeeds }: RunStart, handlers: Pick<PiecesOptions, "onSeed" | "onEnd">): Pieces | null {
    if (nextSeeds.length === 0) return null;
    return new Pieces(this.session, [seed, ...nextSeeds], { origin: this.origin, ...handlers });
  }

  /** Forgets what the phone kept of the run: the app says next how it goes on. */
  askAgain(): void {
    if (!this.kept) return;
    const isOwn = this.stored()?.page === this.page;
    this.kept = { ...this.kept, seed: "", nextSeeds: [], inputs: "" };
    if (isOwn) this.put(this.kept);
  }

  /** Drops the kept run, which is over or cannot be played. */
  forget(): void {
    if (this.stored()?.session === this.session)
      forgetRun(this.slug, this.launch.tournamentId, this.launch.username);
  }

  /** Sends the score of the run, which is over. */
  report(inputs: string, points: number, onState: (state: ReportState) => void): void {
    const run = { session: this.session, inputs, points, slug: this.slug, playedAt: Date.now() };
    void reportRun(run, { origin: this.origin }, onState);
    this.forget();
    this.clearAddress();
  }

  /** Takes the session, which is used up, out of the address: a reload must not play it again. */
  clearAddress(): void {
    const url = new URL(location.href);
    url.hash = "";
    url.searchParams.set("game", this.ticket.game);
    history.replaceState(history.state, "", url);
    this.app?.over();
  }

  private stored(): KeptRun | null {
    return readKeptRun(this.slug, this.launch.tournamentId, this.launch.username);
  }

  private put(run: KeptRun): void {
    this.kept = { ...run, page: this.page };
    keepRun(this.slug, this.launch.tournamentId, this.kept);
  }
}
