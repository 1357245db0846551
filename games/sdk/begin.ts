import { type Answer, callApp, sleep } from "./app";
import { parseSeed } from "./ticket";

/** A ranked run that has begun: from now on it counts. */
export interface BegunRun {
  seed: bigint;
  level: number;
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
  const { seed, level } = (payload ?? {}) as { seed?: unknown; level?: unknown };
  const parsed = typeof seed === "string" ? parseSeed(seed) : null;
  return parsed !== null && typeof level === "number" ? { seed: parsed, level } : null;
}
