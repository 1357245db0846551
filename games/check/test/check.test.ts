import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { instantiateRules } from "../../sdk/rules";
import { Run } from "../../sdk/run";
import { checkResult } from "../src/check";
import { type Proof, readProof } from "../src/proof";

const RULES = readFileSync(fileURLToPath(new URL("../../.rules/template.wasm", import.meta.url)));
const SECRET = Buffer.alloc(32, 7);
const digest = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts));

/** The seed of a round, as svc-tournament derives it. */
function seedOf(round: number): bigint {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(round);
  return digest(SECRET, number).digest().readBigInt64BE();
}

/** Plays a run by pressing whenever a thing is this early; returns its inputs and points. */
async function play(seed: bigint, early: number): Promise<{ inputs: string; points: number }> {
  const rules = await instantiateRules(RULES);
  const run = new Run(rules, seed, 0, "ranked");
  const state = new Int32Array(rules.memory.buffer, rules.state(), 8);
  while (!run.over) run.step((state[1] ?? 0) === early ? 1 : 0);
  return { inputs: run.inputs(), points: run.score };
}

const SESSION = "0192f0c1-2345-7000-8000-0123456789ab";

/** A run as the proof has it. */
function runOf([seed, ...nextSeeds]: bigint[], inputs: string) {
  return { session: SESSION, seed: String(seed), nextSeeds: nextSeeds.map(String), inputs };
}

let reply: Awaited<ReturnType<typeof makeReply>>;

async function makeReply() {
  const [first, second] = await Promise.all([play(seedOf(1), 1), play(seedOf(0), 3)]);
  expect(first.points).toBeGreaterThanOrEqual(second.points);
  return {
    seal: digest(SECRET).digest("hex"),
    settled: true,
    secret: SECRET.toString("hex"),
    rounds: 2,
    level: 0,
    rulesSha256: digest(RULES).digest("hex"),
    rules: RULES.toString("base64"),
    places: [
      { rank: 1, userId: "a", points: first.points, run: runOf([seedOf(1)], first.inputs) },
      { rank: 2, userId: "b", points: second.points, run: runOf([seedOf(0)], second.inputs) },
      { rank: 3, userId: "c", points: 1, run: null },
    ],
  };
}

beforeAll(async () => {
  reply = await makeReply();
});

async function verdicts(change: (copy: typeof reply) => void, isOrdered = true) {
  const copy = structuredClone(reply);
  change(copy);
  const { sealed, ordered, places } = await checkResult(readProof(copy) as Proof);
  expect(ordered).toBe(isOrdered);
  return [sealed, ...places.map(({ verdict }) => verdict)];
}

describe("the check of a result", () => {
  it("replays each run by the rules and a sealed seed", async () => {
    expect(await verdicts(() => {})).toEqual([true, "right", "right", "none"]);
  });

  it("finds points that the run does not have", async () => {
    const found = await verdicts(({ places }) => {
      if (places[1]) places[1].points -= 1;
    });
    expect(found).toEqual([true, "right", "wrong", "none"]);
  });

  it("finds a seed of no round, and inputs that do not end the run", async () => {
    const found = await verdicts(({ places }) => {
      Object.assign(places[0]?.run ?? {}, { seed: "7" });
      Object.assign(places[1]?.run ?? {}, { inputs: "AQA=" });
    });
    expect(found).toEqual([true, "wrong", "wrong", "none"]);
  });

  it("finds places that are not in order, and players with two", async () => {
    const twice = await verdicts(({ places }) => {
      if (places[1] && places[2]) places[2].userId = places[1].userId;
    }, false);
    expect(twice).toEqual([true, "right", "right", "none"]);
    await verdicts(({ places }) => {
      places.reverse();
    }, false);
    await verdicts(({ places }) => {
      if (places[2]) places[2].points = 1e6;
    }, false);
  });

  it("finds another secret and other rules", async () => {
    const other = await verdicts((copy) => {
      copy.secret = "08".repeat(32);
    });
    expect(other).toEqual([false, "wrong", "wrong", "none"]);
    const rules = await verdicts((copy) => {
      copy.rulesSha256 = "00".repeat(32);
    });
    expect(rules).toEqual([true, "wrong", "wrong", "none"]);
  });
});

describe("the check of a live run", () => {
  it("has the seeds that the services have", () => {
    expect(pieceSeed(0)).toBe(-9114837361050058096n);
  });

  const DASH = readFileSync(fileURLToPath(new URL("../../.rules/duma-dash.wasm", import.meta.url)));

  /** The seed of a piece of the session in round 1, as the services derive it. */
  function pieceSeed(piece: number): bigint {
    const number = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    };
    const key = createHmac("sha256", SECRET).update(number(1)).digest();
    const session = Buffer.from(SESSION.replaceAll("-", ""), "hex");
    return createHmac("sha256", key).update(session).update(number(piece)).digest().readBigInt64BE();
  }

  async function verdictOf(seeds: bigint[], change: object = {}) {
    const run = new Run(await instantiateRules(DASH), pieceSeed(0), 0, "ranked", pieceSeed);
    for (let step = 0; step < 450; step++) run.step(0);
    const places = [{ rank: 1, userId: "a", points: run.score, run: runOf(seeds, run.inputs()) }];
    Object.assign(places[0]?.run ?? {}, change);
    const hash = digest(DASH).digest("hex");
    const proof = { ...reply, rulesSha256: hash, rules: DASH.toString("base64"), places };
    const checked = await checkResult(readProof(proof) as Proof);
    return checked.places[0]?.verdict;
  }

  it("replays it by the seeds of its own pieces", async () => {
    expect(await verdictOf([pieceSeed(0), pieceSeed(1)])).toBe("right");
  });

  it("finds a seed that is not the piece's, and the seeds of another session", async () => {
    expect(await verdictOf([pieceSeed(0), pieceSeed(2)])).toBe("wrong");
    expect(await verdictOf([pieceSeed(1), pieceSeed(1)])).toBe("wrong");
    expect(await verdictOf([pieceSeed(0)])).toBe("wrong");
    const session = SESSION.replace("ab", "ac");
    expect(await verdictOf([pieceSeed(0), pieceSeed(1)], { session })).toBe("wrong");
  });
});

describe("a proof", () => {
  it("is read alone and in the app's reply", () => {
    expect(readProof({ statusCode: 200, payload: reply })).toEqual(readProof(reply));
  });

  it("is open before the board is final", () => {
    expect(readProof({ seal: "00", settled: false })).toBe("open");
  });

  it.each([[null], ["proof"], [{}], [{ seal: "00", settled: true }]])("is not %j", (value) =>
    expect(readProof(value)).toBeNull(),
  );

  it("is no file with a broken field", () => {
    for (const broken of [
      { secret: "zz" },
      { rules: "%" },
      { rounds: -1 },
      { rounds: 1e9 },
      { places: [{}] },
    ]) {
      expect(readProof({ ...reply, ...broken })).toBeNull();
    }
  });
});
