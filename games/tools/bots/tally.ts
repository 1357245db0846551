import type { Job, Result } from "./run";

const PROVEN = "PROVEN";

/** Counts the outcomes of runs. */
export class Tally {
  private readonly points = new Map<string, number[]>();
  private readonly seconds = new Map<string, number>();
  private readonly trusts = new Map<string, number>();
  private readonly reasons = new Map<string, number>();
  private refused = 0;
  private notStarted = 0;
  private failed = 0;

  add({ game, tournamentId }: Job, result: Result): void {
    if (result.kind === "taken") {
      this.trusts.set(result.trust, (this.trusts.get(result.trust) ?? 0) + 1);
      this.points.set(game, [...(this.points.get(game) ?? []), result.points]);
      this.seconds.set(game, (this.seconds.get(game) ?? 0) + result.seconds);
      if (result.trust !== PROVEN) this.because(game, result.trust);
      return;
    }
    if (result.kind === "refused") this.refused++;
    else if (tournamentId) this.notStarted++;
    // Outside a tournament a run can always be started, so this is an error.
    else this.failed++;
    this.because(game, `${result.kind}: ${result.reason}`);
  }

  /** Counts a call without a reply, or with an unusable one. */
  fail({ game }: Job, error: unknown): void {
    this.failed++;
    this.because(game, `failed: ${error instanceof Error ? error.message : error}`);
  }

  /** Whether no honest run was held or refused, and each call had a reply. */
  get isHonoured(): boolean {
    const others = [...this.trusts].filter(([trust]) => trust !== PROVEN);
    return this.refused === 0 && this.failed === 0 && others.length === 0;
  }

  get taken(): number {
    return [...this.trusts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns the figures as lines; the last one is the summary. */
  lines(seconds: number, again: number): string[] {
    const games = [...this.points].map(([game, points]) => {
      const sorted = [...points].sort((a, b) => a - b);
      const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
      const mean = (this.seconds.get(game) ?? 0) / points.length;
      return `${game}: ${points.length} runs of ${mean.toFixed(0)} s; points ${at(0)} to ${at(1)}, half of them ${at(0.25)} to ${at(0.75)}, median ${at(0.5)}`;
    });
    const reasons = [...this.reasons].map(([reason, count]) => `${count} × ${reason}`);
    const proven = this.trusts.get(PROVEN) ?? 0;
    const held = this.trusts.get("HELD") ?? 0;
    const others = this.taken - proven - held;
    return [
      ...games,
      ...reasons,
      `${proven} proven, ${held} held, ${this.refused} refused, ${others} of other trust, ${this.failed} failed, ${this.notStarted} not started; ${again} calls sent again; ${seconds.toFixed(0)} s`,
    ];
  }

  private because(game: string, reason: string): void {
    const key = `${game} ${reason}`;
    this.reasons.set(key, (this.reasons.get(key) ?? 0) + 1);
  }
}
