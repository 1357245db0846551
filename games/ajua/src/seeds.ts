import { type Box, bend, bowlSlot, type Layout, type Point, slot } from "./layout";
import { TURNS } from "./paint";
import { PITS, SEEDS, type Side, sideOf } from "./state";

/** Where a seed is: 0 to 15 a pit, 16 and 17 the bowls, or in the air. */
const AIR = -1;

interface Flight {
  from: Point;
  over: Point;
  to: Point;
  start: number;
  seconds: number;
  place: number;
  landed: () => void;
}

export interface Seed {
  picture: number;
  place: number;
  x: number;
  y: number;
  /** The position where the seed comes to rest. */
  restX: number;
  restY: number;
  /** 0 on the wood, 1 at the top of its arc. */
  height: number;
  flight: Flight | undefined;
}

function smooth(part: number): number {
  return part * part * (3 - 2 * part);
}

/** All 64 seeds: in which place each lies, whether it flies, and where it comes to rest. Independent of rules and drawing. */
export class Seeds {
  readonly all: Seed[] = [];
  private readonly places: Seed[][] = Array.from({ length: PITS + 2 }, () => []);

  constructor(private layout: Layout) {
    for (let index = 0; index < SEEDS; index++) {
      this.all.push({
        picture: (index % 3) * TURNS + (Math.floor(index / 3) % TURNS),
        place: AIR,
        x: 0,
        y: 0,
        restX: 0,
        restY: 0,
        height: 0,
        flight: undefined,
      });
    }
  }

  /** Lays the seeds out as the state has them, without motion. */
  deal(pits: readonly number[], caught: readonly [number, number]): void {
    for (const place of this.places) place.length = 0;
    const counts = [...pits, ...caught];
    // Colours are mixed over the board by a step that has no common divisor with 64.
    let next = 0;
    counts.forEach((count, place) => {
      for (let index = 0; index < count; index++) {
        const seed = this.all[(next * 29) % SEEDS];
        next++;
        if (!seed) continue;
        seed.flight = undefined;
        seed.height = 0;
        this.put(seed, place);
      }
      this.arrange(place);
    });
    for (const seed of this.all) {
      seed.x = seed.restX;
      seed.y = seed.restY;
    }
  }

  resize(layout: Layout): void {
    this.layout = layout;
    // Seeds in the air land at once: their arcs belong to the old size.
    for (const seed of this.all) {
      const { flight } = seed;
      if (!flight) continue;
      seed.flight = undefined;
      this.put(seed, flight.place);
      flight.landed();
    }
    for (let place = 0; place < this.places.length; place++) this.arrange(place);
    for (const seed of this.all) {
      seed.x = seed.restX;
      seed.y = seed.restY;
      seed.height = 0;
    }
  }

  /** Whether the seeds lie as the state has them. */
  matches(pits: readonly number[], caught: readonly [number, number]): boolean {
    return [...pits, ...caught].every((count, place) => this.count(place) === count);
  }

  /** Counts the seeds in a place; those in the air do not count. */
  count(place: number): number {
    return this.places[place]?.length ?? 0;
  }

  /** Lifts all seeds of a pit: they rise and draw together. */
  lift(pit: number): Seed[] {
    const hand = this.places[pit] ?? [];
    this.places[pit] = [];
    const middle = this.layout.pits[pit] ?? { x: 0, y: 0 };
    for (const seed of hand) {
      seed.place = AIR;
      seed.restX = middle.x + (seed.restX - middle.x) * 0.62;
      seed.restY = middle.y + (seed.restY - middle.y) * 0.62 - this.layout.seed * 1.2;
      seed.height = 0.5;
    }
    return hand;
  }

  /** Sends a seed on its arc. `landed` is called when it lands. */
  fly(seed: Seed, place: number, side: Side, start: number, seconds: number, landed: () => void): void {
    const from = { x: seed.x, y: seed.y };
    const to = this.target(place);
    const over = bend(from, to, this.layout.width / 2, side);
    seed.flight = { from, over, to, start, seconds, place, landed };
  }

  /** Moves everything to the clock's time. Returns whether anything still moves. */
  advance(clock: number, seconds: number): boolean {
    let moving = false;
    const ease = 1 - Math.exp(-seconds * 16);
    for (const seed of this.all) {
      const { flight } = seed;
      if (flight) {
        const part = Math.min(1, (clock - flight.start) / flight.seconds);
        if (part >= 1) {
          seed.flight = undefined;
          seed.x = flight.to.x;
          seed.y = flight.to.y;
          this.put(seed, flight.place);
          this.arrange(flight.place);
          flight.landed();
        } else if (part > 0) this.place(seed, flight, part);
        moving = true;
        continue;
      }
      const dx = seed.restX - seed.x;
      const dy = seed.restY - seed.y;
      if (seed.place !== AIR && seed.height > 0) seed.height = Math.max(0, seed.height - seconds * 5);
      if (Math.abs(dx) + Math.abs(dy) < 0.15) {
        seed.x = seed.restX;
        seed.y = seed.restY;
        continue;
      }
      seed.x += dx * ease;
      seed.y += dy * ease;
      moving = true;
    }
    return moving;
  }

  private place(seed: Seed, { from, over, to }: Flight, part: number): void {
    const t = smooth(part);
    const rest = 1 - t;
    seed.x = rest * rest * from.x + 2 * rest * t * over.x + t * t * to.x;
    seed.y = rest * rest * from.y + 2 * rest * t * over.y + t * t * to.y;
    seed.height = Math.sin(Math.PI * part);
  }

  private put(seed: Seed, place: number): void {
    seed.place = place;
    this.places[place]?.push(seed);
  }

  private target(place: number): Point {
    if (place < PITS) return this.layout.pits[place] ?? { x: 0, y: 0 };
    return bowlSlot(this.bowl(place), this.count(place), this.layout.seed);
  }

  private bowl(place: number): Box {
    return this.layout.bowls[place === PITS ? 0 : 1];
  }

  private arrange(place: number): void {
    const seeds = this.places[place] ?? [];
    seeds.forEach((seed, index) => {
      const rest =
        place < PITS
          ? this.inPit(place, index, seeds.length)
          : bowlSlot(this.bowl(place), index, this.layout.seed);
      seed.restX = rest.x;
      seed.restY = rest.y;
    });
  }

  private inPit(pit: number, index: number, count: number): Point {
    const middle = this.layout.pits[pit] ?? { x: 0, y: 0 };
    const offset = slot(index, count, pit * 1.7 + sideOf(pit));
    return { x: middle.x + offset.x * this.layout.seed, y: middle.y + offset.y * this.layout.seed };
  }
}
