import type { Rules } from "../../sdk/types";
import * as S from "../src/state";

export interface Skill {
  /** The bot jumps this many ticks before an obstacle. */
  lead: number;
  /** Largest error of a jump, in ticks. */
  error: number;
  /** The bot misses one in so many obstacles. */
  blind: number;
  /** Errors of the jumps over the first obstacles, in ticks; later ones are random. */
  errors?: readonly number[];
}

/** Plays by reading the state, as a player would, with random errors. */
export class Bot {
  private readonly state: Int32Array;
  private noise: number;
  private seen = 0;
  private offset = 0;
  private sees = true;
  /** Number of the obstacles so far. */
  obstacles = 0;

  constructor(
    rules: Rules,
    private readonly skill: Skill,
    noise: number,
  ) {
    this.state = new Int32Array(rules.memory.buffer, rules.state(), S.WORDS);
    this.noise = noise >>> 0 || 1;
  }

  private random(below: number): number {
    this.noise = (Math.imul(this.noise, 1664525) + 1013904223) >>> 0;
    return (this.noise >>> 8) % below;
  }

  next(): number {
    const at = (index: number): number => this.state[index] ?? 0;
    const here = at(S.DISTANCE) / 256;
    let nearest = Number.POSITIVE_INFINITY;
    let slot = -1;
    for (let index = 0; index < S.OBSTACLES; index++) {
      const base = S.HEADER + index * S.OBSTACLE_WORDS;
      if (at(base) === 0 || at(base + 5) < 0) continue;
      const left = at(base + 1) / 256;
      if (left + at(base + 2) < here - 20) continue;
      if (left < nearest) {
        nearest = left;
        slot = base;
      }
    }
    if (slot < 0) return 0;
    const kind = at(slot);
    const id = at(slot + 2) * 4096 + slot * 7 + kind;
    if (id !== this.seen) {
      this.seen = id;
      const error = this.random(this.skill.error * 2 + 1) - this.skill.error;
      this.offset = this.skill.errors?.[this.obstacles++] ?? error;
      this.sees = this.random(this.skill.blind) !== 0;
    }
    if (!this.sees) return 0;
    const speed = (at(S.SPEED) + (kind === S.BIRD ? S.BIRD_SPEED : 0)) / 256;
    const ticks = (nearest - here - 24) / speed;
    const lead = this.skill.lead + this.offset;
    const inAir = at(S.JUMPS) > 0;
    const under = kind === S.NESTS || kind === S.BIRD;
    if (under) {
      if (ticks > lead + 2) return 0;
      if (inAir) return at(S.VY) > -3000 && ticks < 12 ? S.INPUT_SLIDE : 0;
      return at(S.SLIDE) < 8 ? S.INPUT_SLIDE : 0;
    }
    if (kind === S.TALL_MOUND) {
      if (!inAir) return ticks <= lead + 5 ? S.INPUT_JUMP : 0;
      return at(S.JUMPS) === 1 && at(S.VY) < 1200 && ticks < 8 ? S.INPUT_JUMP : 0;
    }
    if (!inAir) return ticks <= (kind === S.WATER ? lead - 3 : lead) ? S.INPUT_JUMP : 0;
    // The jump is too short: a second one saves it.
    if (at(S.JUMPS) === 1 && at(S.VY) < -1400 && at(S.Y) / 256 < at(slot + 4) + 45 && ticks < 6)
      return S.INPUT_JUMP;
    return 0;
  }
}
