import { Fault } from "@/lib/http/fault";

const STORAGE_KEY = "intent";

interface Intent {
  readonly fingerprint: string;
  readonly key: string;
}

function stored(): Intent | null {
  try {
    const raw: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
    if (typeof raw !== "object" || raw === null) return null;
    const { fingerprint, key } = raw as Partial<Record<keyof Intent, unknown>>;
    return typeof fingerprint === "string" && typeof key === "string" ? { fingerprint, key } : null;
  } catch {
    return null;
  }
}

function keyFor(fingerprint: string): string {
  const last = stored();
  if (last?.fingerprint === fingerprint) return last.key;
  const key = crypto.randomUUID();
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ fingerprint, key } satisfies Intent));
  return key;
}

/**
 * Runs a call that moves money under an Idempotency-Key that outlives a lost reply and a reload: the same
 * body is sent under the same key until the server has given a final answer, so money moves at most once.
 */
export async function oncePerIntent<T>(
  path: string,
  body: unknown,
  run: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const key = keyFor(`${path} ${JSON.stringify(body)}`);
  try {
    const result = await run(key);
    sessionStorage.removeItem(STORAGE_KEY);
    return result;
  } catch (cause) {
    if (cause instanceof Fault && cause.refused) sessionStorage.removeItem(STORAGE_KEY);
    throw cause;
  }
}
