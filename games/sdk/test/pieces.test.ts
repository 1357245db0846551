import { beforeAll, expect, it, vi } from "vitest";
import { Pieces } from "../pieces";
import { Run, replay } from "../run";
import { type Rules, StepResult } from "../types";
import { loadGameRules } from "./load";

let rules: Rules;
beforeAll(async () => {
  rules = await loadGameRules("duma-dash");
});

const SEEDS = [3n, 5n, -7n, 11n];

/** A run of Duma Dash that knows so many of its seeds. */
function liveRun(known: number): Run {
  return new Run(rules, 3n, 0, "ranked", (piece) => (piece < known ? SEEDS[piece] : undefined));
}

function stepUntilItWaits(run: Run): void {
  while (!run.over && run.step(0) !== StepResult.Waits);
}

it("a run waits at the end of the last piece that it has", () => {
  const run = liveRun(1);
  stepUntilItWaits(run);
  expect([run.steps, run.over, run.pieces.length]).toEqual([300, false, 1]);
  expect(run.step(1)).toBe(StepResult.Waits);
  expect(run.steps).toBe(300);
});

it("each piece has inputs of its own, and all of them are the run's", async () => {
  const run = liveRun(2);
  for (let step = 0; step < 450; step++) run.step(step === 200 ? 1 : 0);
  expect(run.pieces).toEqual(["yAEAAQFjAA=="]);
  const again = replay(await loadGameRules("duma-dash"), 3n, 0, run.inputs(), (piece) => SEEDS[piece]);
  expect([again.steps, again.score]).toEqual([run.steps, run.score]);
});

const reply = (status: number, payload: unknown): Response =>
  new Response(JSON.stringify({ payload }), { status });

/** Pieces of a run whose calls get these answers. */
function pieces(...answers: (Response | Error)[]) {
  const call = vi.fn(async () => {
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new TypeError("offline");
    return answer;
  });
  const waits: number[] = [];
  const onSeed = vi.fn();
  const onEnd = vi.fn();
  const made = new Pieces("s1", [3n, 5n], {
    origin: "https://app.test",
    fetch: call as unknown as typeof fetch,
    wait: async (milliseconds) => void waits.push(milliseconds),
    onSeed,
    onEnd,
  });
  const sent = () =>
    call.mock.calls.map((args) => {
      const [, request] = args as unknown as [string, RequestInit];
      return JSON.parse(String(request.body));
    });
  return { made, waits, onSeed, onEnd, sent };
}

it("pieces are committed in their order, and each gives a seed", async () => {
  const { made, onSeed, sent } = pieces(reply(200, { seed: "-7" }), reply(200, { seed: "11" }));
  made.commit(["rAIA", "rAIB"]);
  await vi.waitFor(() => expect(made.seeds).toEqual(SEEDS));
  expect(sent()).toEqual([
    { session: "s1", index: 0, inputs: "rAIA" },
    { session: "s1", index: 1, inputs: "rAIB" },
  ]);
  expect(onSeed).toHaveBeenCalledTimes(2);
  made.commit(["rAIA", "rAIB"]);
  expect(sent()).toHaveLength(2);
});

it("a piece is sent again until the network is back", async () => {
  const early = reply(422, { code: "PIECE_TOO_EARLY" });
  const { made, waits } = pieces(
    new TypeError("offline"),
    reply(503, null),
    early,
    reply(200, { seed: "-7" }),
  );
  made.commit(["rAIA"]);
  await vi.waitFor(() => expect(made.seeds).toHaveLength(3));
  expect(waits).toEqual([1000, 1000, 1000]);
});

it("a refusal ends the pieces", async () => {
  const { made, onEnd, sent } = pieces(reply(422, { code: "RUN_TOO_LATE" }));
  made.commit(["rAIA"]);
  await vi.waitFor(() =>
    expect(onEnd).toHaveBeenCalledWith(expect.objectContaining({ code: "RUN_TOO_LATE" })),
  );
  made.commit(["rAIA", "rAIB"]);
  expect(sent()).toHaveLength(1);
});
