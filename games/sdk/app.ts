/** What the app answered to a call: a payload, a refusal for good, or nothing for now. */
export type Answer =
  | { kind: "done"; payload: unknown }
  | { kind: "refused"; code: string; message: string }
  /** No reply, a busy server or a rate limit: the call may be repeated after so many milliseconds. */
  | { kind: "lost"; retryAfter: number };

const TIMEOUT = 20_000;

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls the app at `path` without credentials: the play session in the body authorises the call. */
export async function callApp(
  origin: string,
  path: string,
  body: object,
  call: typeof fetch = globalThis.fetch,
  timeout = TIMEOUT,
): Promise<Answer> {
  let response: Response;
  let envelope: { statusMessage?: unknown; payload?: unknown } | null;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  try {
    response = await call(`${origin}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: abort.signal,
    });
    envelope = await response.json().catch(() => null);
  } catch {
    return { kind: "lost", retryAfter: 0 };
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return { kind: "done", payload: envelope?.payload };
  if (response.status === 429 || response.status === 408 || response.status >= 500) {
    const seconds = Number(response.headers.get("Retry-After"));
    const retryAfter = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 0;
    return { kind: "lost", retryAfter };
  }
  const code = (envelope?.payload as { code?: unknown } | null)?.code;
  const message = envelope?.statusMessage;
  return {
    kind: "refused",
    code: typeof code === "string" ? code : String(response.status),
    message: typeof message === "string" ? message : "",
  };
}
