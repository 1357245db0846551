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

const TIMEOUT = 20_000;
const ATTEMPTS = 6;
const FIRST_WAIT = 800;
const LONGEST_WAIT = 15_000;

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

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
  run: PendingRun,
  { origin, fetch: call = globalThis.fetch }: ReportOptions,
): Promise<{ state: ReportState } | { retryAfter: number }> {
  let response: Response;
  let body: unknown;
  try {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), TIMEOUT);
    response = await call(`${origin}/api/scores`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ session: run.session, inputs: run.inputs, points: run.points }),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: abort.signal,
    });
    body = await response.json().catch(() => null);
    clearTimeout(timer);
  } catch {
    return { retryAfter: 0 };
  }
  if (response.ok) {
    const standing = readStanding(body);
    return standing ? { state: { kind: "taken", standing } } : { retryAfter: 0 };
  }
  if (response.status === 429 || response.status === 408 || response.status >= 500) {
    const seconds = Number(response.headers.get("Retry-After"));
    return { retryAfter: Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 0 };
  }
  const envelope = body as { statusMessage?: unknown; payload?: { code?: unknown } | null } | null;
  const code = envelope?.payload?.code;
  const message = envelope?.statusMessage;
  return {
    state: {
      kind: "refused",
      code: typeof code === "string" ? code : String(response.status),
      message: typeof message === "string" ? message : "",
    },
  };
}

function readStanding(body: unknown): Standing | null {
  const payload = (body as { payload?: Partial<Standing> } | null)?.payload;
  if (!payload || typeof payload.points !== "number") return null;
  const trust = payload.trust;
  return {
    points: payload.points,
    best: typeof payload.best === "number" ? payload.best : payload.points,
    rank: typeof payload.rank === "number" ? payload.rank : null,
    trust: trust === "PROVEN" || trust === "SIGNED" || trust === "HELD" ? trust : "CLAIMED",
  };
}
