import { callApp, sleep } from "./app";
import { addPending, type PendingRun, readPending, removePending } from "./store";

/** The reply to an accepted run. */
export interface Standing {
  points: number;
  best: number;
  rank: number | null;
  trust: "PROVEN" | "SIGNED" | "CLAIMED" | "HELD";
}

export type ReportState =
  | { kind: "sending"; attempt: number }
  /** No reply: the run is stored on the phone and sent at the next start, or when the network is back. */
  | { kind: "kept" }
  | { kind: "taken"; standing: Standing }
  /** The server refused the run for good. */
  | { kind: "refused"; code: string; message: string };

export interface ReportOptions {
  origin: string;
  fetch?: typeof fetch;
  wait?: (milliseconds: number) => Promise<void>;
  random?: () => number;
  /** A session that is being reported already. */
  except?: string | undefined;
}

const ATTEMPTS = 6;
const FIRST_WAIT = 800;
const LONGEST_WAIT = 15_000;

/**
 * Sends a run until there is a reply: the session is the idempotency key, so a repeated call is safe. The run stays in local storage until
 * then. Network errors, 5xx and 429 are retried with growing pauses; any other status is final.
 */
export async function reportRun(
  run: PendingRun,
  options: ReportOptions,
  onState: (state: ReportState) => void = () => {},
): Promise<ReportState> {
  addPending(run);
  const { wait = sleep, random = Math.random } = options;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    onState({ kind: "sending", attempt });
    const answer = await post(run, options);
    if ("state" in answer) {
      removePending(run.session);
      onState(answer.state);
      return answer.state;
    }
    if (attempt === ATTEMPTS) break;
    const grown = Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
    await wait(Math.max(grown * (0.75 + random() / 2), answer.retryAfter));
  }
  const kept: ReportState = { kind: "kept" };
  onState(kept);
  return kept;
}

/** Sends the runs that earlier starts could not send: one call each, because the next start tries again. */
export async function sendPending(
  options: ReportOptions,
  onAnswer: (run: PendingRun, state: ReportState) => void,
): Promise<void> {
  for (const run of readPending()) {
    if (run.session === options.except) continue;
    const answer = await post(run, options);
    if (!("state" in answer)) return;
    removePending(run.session);
    onAnswer(run, answer.state);
  }
}

async function post(
  { session, inputs, points }: PendingRun,
  { origin, fetch }: ReportOptions,
): Promise<{ state: ReportState } | { retryAfter: number }> {
  const answer = await callApp(origin, "/api/scores", { session, inputs, points }, fetch);
  if (answer.kind === "lost") return answer;
  if (answer.kind === "refused") return { state: answer };
  const standing = readStanding(answer.payload);
  return standing ? { state: { kind: "taken", standing } } : { retryAfter: 0 };
}

function readStanding(body: unknown): Standing | null {
  const payload = body as Partial<Standing> | null | undefined;
  if (!payload || typeof payload.points !== "number") return null;
  const trust = payload.trust;
  return {
    points: payload.points,
    best: typeof payload.best === "number" ? payload.best : payload.points,
    rank: typeof payload.rank === "number" ? payload.rank : null,
    trust: trust === "PROVEN" || trust === "SIGNED" || trust === "HELD" ? trust : "CLAIMED",
  };
}
