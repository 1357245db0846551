import { InputPlayer, Run } from "@sdk/run";
import type { Host, Rules, RunInfo } from "@sdk/types";
import { DUMA_HEIGHT, DUMA_WIDTH, GALLOP_FRAMES, type Sprites } from "./sprites";
import * as S from "./state";
import type { Picture } from "./things";

/** The player's own best run of this course, played beside the present one by a second instance of the rules. */
export class Ghost {
  private rules: Rules | null = null;
  private run: Run | null = null;
  private player: InputPlayer | null = null;
  private state = new Int32Array(0);

  constructor(private readonly host: Host) {}

  start(run: RunInfo): void {
    this.player = null;
    const kept = this.host.ghost;
    if (!kept) return;
    const begin = (rules: Rules): void => {
      this.rules = rules;
      // The run may have ended or begun again meanwhile.
      if (run.steps > 0) return;
      this.run = new Run(rules, run.seed, run.level, "watch");
      this.state = new Int32Array(rules.memory.buffer, rules.state(), S.WORDS);
      this.player = new InputPlayer(kept.inputs);
    };
    if (this.rules) begin(this.rules);
    else void this.host.newRules().then(begin);
  }

  step(): void {
    const input = this.player?.next();
    if (input === undefined) return;
    if (input === null) this.player = null;
    else this.run?.step(input);
  }

  draw(
    ctx: CanvasRenderingContext2D,
    sprites: Sprites,
    label: Picture | null,
    distance: number,
    ground: number,
    place: number,
    pixels: number,
  ): void {
    if (!this.player) return;
    const at = (index: number): number => this.state[index] ?? 0;
    const own = at(S.DISTANCE) / 256;
    const x = own - distance + place;
    if (x < -70 || x > 470) return;
    const jumps = at(S.JUMPS);
    const image =
      jumps > 0
        ? at(S.VY) > -300
          ? sprites.rising
          : sprites.falling
        : at(S.SLIDE) > 0
          ? sprites.sliding
          : sprites.gallop[Math.floor((own / 128) * GALLOP_FRAMES) % GALLOP_FRAMES];
    if (!image) return;
    const y = ground + 5 - at(S.Y) / 256;
    const tall = at(S.SLIDE) > 0 && jumps === 0 ? 0.74 : 1;
    ctx.globalAlpha = 0.32;
    ctx.drawImage(image, x - DUMA_WIDTH / 2, y - DUMA_HEIGHT * tall, DUMA_WIDTH, DUMA_HEIGHT * tall);
    if (label) {
      ctx.globalAlpha = 0.6;
      const width = (label.width / pixels) * 0.6;
      ctx.drawImage(label, x - width / 2, ground + 12, width, (label.height / pixels) * 0.6);
    }
    ctx.globalAlpha = 1;
  }
}
