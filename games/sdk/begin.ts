import { type Answer, callApp, sleep } from "./app";
import { decodeInputs } from "./inputs";
import { parseSeed } from "./ticket";

/** A ranked run that has begun: from now on it counts. */
export interface BegunRun {
  seed: bigint;
  /** In a live run the seeds of the following pieces. */
  nextSeeds: bigint[];
  level: number;
  /** The inputs of the pieces that were committed before. */
  inputs: string;
}

export type Beginning = { kind: "begun"; run: BegunRun } | Exclude<Answer, { kind: "done" }>;

interface BeginOptions {
  origin: string;
  fetch?: typeof fetch;
  wait?: (milliseconds: number) => Promise<void>;
}

const ATTEMPTS = 3;
const WAIT = 1000;

/**
 * Begins the session's run, and gets its seed. A repeated call gets the same seed, so a lost reply costs nothing. A
 * network error, 5xx and 429 are tried three times.
 */
export async function beginRun(
  session: string,
  { origin, fetch, wait = sleep }: BeginOptions,
): Promise<Beginning> {
  for (let attempt = 1; ; attempt++) {
    const answer = await callApp(origin, "/api/runs", { session }, fetch);
    if (answer.kind === "refused") return answer;
    const run = answer.kind === "done" ? readBegun(answer.payload) : null;
    if (run) return { kind: "begun", run };
    const retryAfter = answer.kind === "lost" ? answer.retryAfter : 0;
    if (attempt === ATTEMPTS) return { kind: "lost", retryAfter };
    await wait(Math.max(WAIT, retryAfter));
  }
}

function readBegun(payload: unknown): BegunRun | null {
  const { seed, nextSeeds = [], level, inputs = "" } = (payload ?? {}) as Record<string, unknown>;
  if (!Array.isArray(nextSeeds) || typeof level !== "number" || typeof inputs !== "string") return null;
  const [first, ...next] = [seed, ...nextSeeds].map((text) =>
    typeof text === "string" ? parseSeed(text) : null,
  );
  const areSeeds = (seeds: (bigint | null)[]): seeds is bigint[] => seeds.every((one) => one !== null);
  if (typeof first !== "bigint" || !areSeeds(next)) return null;
  try {
    decodeInputs(inputs);
  } catch {
    return null;
  }
  return { seed: first, nextSeeds: next, level, inputs };
}
