import { useState } from "react";
import { Fault, TIMED_OUT } from "@/lib/http/fault";

const RETRIES = 2;
const FIRST_DELAY_MS = 1_000;
/**
 * Longest wait before a retry; a longer one is left to {@link recoveryInterval}, so that the player reads the reason
 * meanwhile.
 */
const MAX_DELAY_MS = 5_000;
const GATEWAY_TIMEOUT = 504;

/**
 * Interval of a failed read: 10 to 12 s, different on each phone, so that not all of them repeat their calls at the
 * same moment.
 */
const RECOVERY_MS = 10_000 + Math.random() * 2_000;
const MAX_RECOVERY_MS = 5 * 60_000;

function waitOf(cause: Error | null): number {
  return cause instanceof Fault ? (cause.retryAfterMs ?? 0) : 0;
}

/**
 * Whether a read is repeated at once: after a lost connection or a server error, but not after a refusal, a rate limit or
 * a timeout, which has kept the player waiting already.
 */
export function shouldRetry(failures: number, cause: Error): boolean {
  if (!(cause instanceof Fault) || cause.refused || cause.status === 429) return false;
  const timedOut = cause.code === TIMED_OUT || cause.status === GATEWAY_TIMEOUT;
  return !timedOut && waitOf(cause) <= MAX_DELAY_MS && failures < RETRIES;
}

/**
 * Returns the delay before a retry. It doubles from one second, with jitter over half of it, and is never shorter than
 * the server asks.
 */
export function retryDelay(failures: number, cause: Error): number {
  const ceiling = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
  return Math.max(waitOf(cause), ceiling / 2 + (Math.random() * ceiling) / 2);
}

/**
 * Returns how often a failed read is repeated while its screen is shown, so that the screen recovers by itself. False
 * while the read has not failed, and after a refusal.
 */
export function recoveryInterval({
  state,
}: {
  readonly state: { readonly error: Error | null };
}): number | false {
  const { error } = state;
  if (!(error instanceof Fault) || error.refused) return false;
  return Math.min(Math.max(RECOVERY_MS, waitOf(error)), MAX_RECOVERY_MS);
}

interface Result {
  readonly error: Error | null;
  readonly isSuccess: boolean;
}

/**
 * The last error of a read, even while the read is repeated: otherwise a failed screen would flash its skeleton each
 * time.
 */
export function useLastError({ error, isSuccess }: Result): Error | null {
  const [last, setLast] = useState(error);
  const current = error ?? (isSuccess ? null : last);
  if (current !== last) setLast(current);
  return current;
}
