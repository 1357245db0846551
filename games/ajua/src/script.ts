import { CATCH, LOSS } from "./palette";
import type { Seed } from "./seeds";
import type { Stage } from "./stage";
import { across, EventKind, type GameEvent, PITS, type Side, sideOf } from "./state";

/** The view's callbacks while a step is shown. */
export interface Listener {
  turnBegins(side: Side): void;
  seedFell(pit: number): void;
  sownOn(pit: number): void;
  caught(side: Side, count: number, pit: number): void;
  bowlGot(side: Side): void;
}

const FLIGHT = 0.32;
const GAP = 0.085;
const LIFT = 0.14;
/** Longest time in s of a turn's sowing, however many laps it has: longer for the player's own turn than for the computer's. */
const LONGEST = [2.2, 1.8] as const;

interface Turn {
  side: Side;
  events: GameEvent[];
}

/** Splits a step's events by turns; clearing the board at the end belongs to the last turn. */
export function turnsOf(events: readonly GameEvent[]): Turn[] {
  const turns: Turn[] = [];
  for (const event of events) {
    const open = turns[turns.length - 1];
    const begins =
      event.kind === EventKind.Pick && (!open || open.events.some(({ kind }) => kind === EventKind.TurnEnds));
    if (begins) turns.push({ side: sideOf(event.pit), events: [event] });
    else open?.events.push(event);
  }
  return turns;
}

/** Schedules a step on the stage: every seed of both turns, in order. Returns when the last seed lies. */
export function show(
  stage: Stage,
  events: readonly GameEvent[],
  still: boolean,
  listener: Listener,
): Promise<void> {
  return new Promise((done) => {
    let at = stage.clock + 0.02;
    turnsOf(events).forEach((turn, index) => {
      at = still ? showStill(stage, turn, at, listener) : showTurn(stage, turn, at, index > 0, listener);
    });
    stage.cue(at + (still ? 0 : 0.32), done);
  });
}

function showTurn(
  stage: Stage,
  { side, events }: Turn,
  begin: number,
  waits: boolean,
  listener: Listener,
): number {
  const { effects, seeds } = stage;
  const radius = stage.layout.radius;
  const pitAt = (pit: number) => stage.layout.pits[pit] ?? { x: 0, y: 0 };
  const sown = events.filter(({ kind }) => kind === EventKind.Sow).length;
  const laps = events.filter(({ kind }) => kind === EventKind.Pick).length;
  const rate = Math.max(1, (sown * GAP + laps * (LIFT + FLIGHT)) / LONGEST[side]);
  let at = begin;
  // The computer shows its pit before it sows: the eye needs time to find it.
  if (side === 1) {
    if (waits) at += 0.2;
    stage.cue(at, () => listener.turnBegins(1));
    at += 0.3;
    const from = events[0]?.pit ?? 0;
    const ringAt = at;
    stage.cue(at, () => {
      stage.trace = undefined;
      effects.ring(pitAt(from), radius, ringAt, 0.75, "#ffffff", true);
    });
    at += 0.36;
  } else {
    stage.cue(at, () => listener.turnBegins(0));
  }
  let hand: Seed[] = [];
  let landed = at;
  let lap = 0;
  let last = 0;
  for (const event of events) {
    const { kind, pit, count } = event;
    if (kind === EventKind.Pick) {
      at = Math.max(at, landed + (lap > 0 ? 0.06 / rate : 0));
      const isRelay = lap > 0;
      const time = at;
      stage.cue(at, () => {
        hand = seeds.lift(pit);
        if (isRelay) {
          effects.ring(pitAt(pit), radius, time, 0.3 / rate, "#ffffff");
          listener.sownOn(pit);
        }
      });
      lap++;
      at += LIFT / rate;
    } else if (kind === EventKind.Sow) {
      const start = at;
      const flight = FLIGHT / rate ** 0.7;
      stage.cue(at, () => {
        const seed = hand.shift();
        if (!seed) return;
        seeds.fly(seed, pit, side, start, flight, () => {
          effects.ripple(pitAt(pit), radius, stage.clock);
          listener.seedFell(pit);
        });
      });
      landed = start + flight + 0.02;
      last = pit;
      at += GAP / rate;
    } else if (kind === EventKind.Catch) {
      at = showCatch(stage, side, pit, count, landed + 0.05, listener);
      landed = at;
    } else if (kind === EventKind.TurnEnds) {
      at = landed + 0.06;
      const from = events[0]?.pit ?? 0;
      const ended = last;
      stage.cue(at, () => {
        stage.trace = side === 1 ? { from, last: ended } : undefined;
      });
    } else if (kind === EventKind.Collect) {
      at = showCollect(stage, pit, at, listener);
    }
  }
  return at + 0.02;
}

function showCatch(
  stage: Stage,
  side: Side,
  pit: number,
  count: number,
  begin: number,
  listener: Listener,
): number {
  const { effects, seeds, layout } = stage;
  const radius = layout.radius;
  const own = layout.pits[pit] ?? { x: 0, y: 0 };
  const prey = layout.pits[across(pit)] ?? { x: 0, y: 0 };
  const colour = side === 0 ? CATCH : LOSS;
  const middle = { x: (own.x + prey.x) / 2, y: own.y };
  stage.cue(begin, () => {
    effects.ring(own, radius, begin, 0.7, colour, side === 1);
    effects.ring(prey, radius, begin, 0.7, colour, side === 1);
  });
  const burst = begin + 0.16;
  const ready = burst + 0.14;
  let flyers: Seed[] = [];
  stage.cue(burst, () => {
    flyers = [...seeds.lift(across(pit)), ...seeds.lift(pit)];
    effects.tag(middle, `+${count}`, Math.max(24, layout.pitch * 0.5), burst, false);
    if (side === 0) effects.burst(middle, Math.min(36, 10 + count * 2), burst);
    listener.caught(side, count, pit);
  });
  const gap = Math.min(0.045, 0.36 / count);
  for (let index = 0; index < count; index++) {
    const start = ready + index * gap;
    stage.cue(start, () => {
      const seed = flyers.shift();
      if (seed) seeds.fly(seed, PITS + side, side, start, 0.42, () => listener.bowlGot(side));
    });
  }
  // The other side may begin while the last seeds still fly to the bowl.
  return ready + count * gap + 0.08;
}

/** Shows the end: a row goes to its bowl. */
function showCollect(stage: Stage, pit: number, begin: number, listener: Listener): number {
  const side = sideOf(pit);
  stage.cue(begin, () => {
    stage.seeds.lift(pit).forEach((seed, index) => {
      const start = stage.clock + index * 0.03;
      stage.seeds.fly(seed, PITS + side, side, start, 0.45, () => listener.bowlGot(side));
    });
  });
  return begin + 0.2;
}

/** Shows a turn with reduced motion, without flights: lap by lap the seeds appear in their new pits, with a ring where the lap ended. */
function showStill(stage: Stage, { side, events }: Turn, begin: number, listener: Listener): number {
  const { effects, seeds, layout } = stage;
  const pitAt = (pit: number) => layout.pits[pit] ?? { x: 0, y: 0 };
  let at = begin + (side === 1 ? 0.3 : 0);
  stage.cue(at, () => listener.turnBegins(side));
  const from = events[0]?.pit ?? 0;
  let last = from;
  const move = (pit: number, place: number, all: boolean): void => {
    const counts = Array.from({ length: PITS + 2 }, (_, index) => seeds.count(index));
    const taken = all ? (counts[pit] ?? 0) : 1;
    counts[pit] = (counts[pit] ?? 0) - taken;
    counts[place] = (counts[place] ?? 0) + taken;
    seeds.deal(counts.slice(0, PITS), [counts[PITS] ?? 0, counts[PITS + 1] ?? 0]);
  };
  let source = from;
  for (const { kind, pit, count } of events) {
    if (kind === EventKind.Pick) {
      const time = at;
      source = pit;
      stage.cue(at, () => effects.ring(pitAt(pit), layout.radius, time, 0.6, "#ffffff", side === 1));
      at += 0.35;
    } else if (kind === EventKind.Sow) {
      const origin = source;
      last = pit;
      stage.cue(at, () => move(origin, pit, false));
    } else if (kind === EventKind.Catch) {
      const time = at + 0.3;
      stage.cue(time, () => {
        effects.ring(pitAt(pit), layout.radius, time, 0.8, side === 0 ? CATCH : LOSS, side === 1);
        effects.tag(pitAt(pit), `+${count}`, Math.max(24, layout.pitch * 0.5), time, true);
        move(pit, PITS + side, true);
        move(across(pit), PITS + side, true);
        listener.caught(side, count, pit);
        listener.bowlGot(side);
      });
      at = time + 0.5;
    } else if (kind === EventKind.Collect) {
      stage.cue(at, () => {
        move(pit, PITS + sideOf(pit), true);
        listener.bowlGot(sideOf(pit));
      });
    } else if (kind === EventKind.TurnEnds) {
      const ended = last;
      stage.cue(at, () => {
        stage.trace = side === 1 ? { from, last: ended } : undefined;
      });
      at += 0.3;
    }
  }
  return at + 0.1;
}
