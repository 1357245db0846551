type Parameters = readonly (number | undefined)[];
type Player = (...parameters: (number | undefined)[]) => unknown;

/** Plays generated sounds (zzfx). The code loads when sound is first turned on; before that, the browser requires a gesture. */
export class Sound {
  private player: Player | null = null;

  constructor(public on: boolean) {
    if (on) void this.load();
  }

  toggle(): void {
    this.on = !this.on;
    if (this.on) void this.load().then(() => this.play([0.6, 0, 660, 0.01, 0.05, 0.12, 1, 1.8]));
  }

  play(parameters: Parameters): void {
    if (this.on && this.player) this.player(...parameters);
  }

  private async load(): Promise<void> {
    if (this.player) return;
    try {
      const { zzfx, ZZFX } = await import("zzfx");
      ZZFX.volume = 0.22;
      this.player = (...parameters) => {
        if (ZZFX.audioContext.state === "suspended") void ZZFX.audioContext.resume();
        return zzfx(...parameters);
      };
    } catch {
      // Without sound the game continues.
    }
  }
}
