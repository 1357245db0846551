import { recordServerTime } from "@/lib/clock";
import { API_BASE, REQUEST_TIMEOUT_MS } from "@/lib/env";
import { BAD_REPLY, Fault, OFFLINE, TIMED_OUT } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentLocale } from "@/lib/i18n/language";
import { timeoutSignal } from "@/lib/platform";

/** The envelope of every gateway reply. */
export interface Reply<T> {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly payload: T;
}

export interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  readonly bearer?: string | undefined;
  /** A repeated money call with the same key returns the first result instead of moving money again. */
  readonly idempotencyKey?: string | undefined;
  readonly timeoutMs?: number;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function stringFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function headersOf(call: Call): Headers {
  const headers = new Headers({ accept: "application/json", "accept-language": currentLocale() });
  if (call.body !== undefined) headers.set("content-type", "application/json");
  if (call.bearer) headers.set("authorization", `Bearer ${call.bearer}`);
  if (call.idempotencyKey) headers.set("idempotency-key", call.idempotencyKey);
  return headers;
}

function toNetworkFault(cause: unknown): Fault {
  const timedOut = cause instanceof DOMException && cause.name === "AbortError";
  return timedOut
    ? new Fault(t("fault.timeout"), { code: TIMED_OUT, status: 0 })
    : new Fault(t("fault.offline"), { code: OFFLINE, status: 0 });
}

async function fetchWithTimeout(path: string, call: Call): Promise<Response> {
  return fetch(`${API_BASE}${path}`, {
    method: call.method ?? "GET",
    headers: headersOf(call),
    signal: timeoutSignal(call.timeoutMs ?? REQUEST_TIMEOUT_MS),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
}

/** Statuses that a proxy sends when the gateway behind it is unavailable. */
function isUnavailable(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** The wait that a `Retry-After` in seconds asks for. The gateway sends no dates. */
function waitMs(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : undefined;
}

const MINUTE_S = 60;

/** The server's message, or our own with the minutes to wait when a rate limit lasts a minute or longer. */
function limitText(message: string, code: string, retryAfter: string | null): string {
  const seconds = Number(retryAfter);
  if (code !== "RATE_LIMITED" || !(seconds >= MINUTE_S)) return message;
  return t("fault.rateLimited", { minutes: Math.ceil(seconds / MINUTE_S) });
}

/** Returns the envelope in a response body. @throws Fault for every status other than 200 and 201. */
export function openEnvelope(
  path: string,
  status: number,
  header: (name: string) => string | null,
  body: unknown,
): Reply<unknown> {
  const traceId = header("x-trace-id") ?? undefined;
  if (!isRecord(body) || typeof body.statusCode !== "number") {
    throw new Fault(t(isUnavailable(status) ? "fault.unavailable" : "fault.badReply"), {
      code: BAD_REPLY,
      status,
      traceId,
      retryAfterMs: waitMs(header("retry-after")),
    });
  }
  const { statusCode, statusMessage, payload } = body;
  const message = typeof statusMessage === "string" && statusMessage ? statusMessage : t("fault.unknown");
  if (statusCode !== 200 && statusCode !== 201) {
    const details = isRecord(payload) ? payload : {};
    const code = typeof details.code === "string" ? details.code : "UNKNOWN";
    const fields = stringFields(details.fields);
    throw new Fault(limitText(message, code, header("retry-after")), {
      code,
      status: statusCode,
      path,
      fields,
      traceId,
      retryAfterMs: waitMs(header("retry-after")),
    });
  }
  return { statusCode, statusMessage: message, payload };
}

async function parse(path: string, response: Response): Promise<Reply<unknown>> {
  // A reply that the browser may keep may be hours old, and so may its Date.
  if (response.headers.get("cache-control")?.includes("no-store"))
    recordServerTime(response.headers.get("date"));
  const body: unknown = await response.json().catch((cause: unknown) => {
    // The timeout can also cut off the body: that is a timeout, not a malformed reply.
    if (cause instanceof DOMException) throw cause;
    return null;
  });
  return openEnvelope(path, response.status, (name) => response.headers.get(name), body);
}

/** Sends one call and returns the reply's envelope. @throws Fault for every status other than 200 and 201. */
export async function send(path: string, call: Call = {}): Promise<Reply<unknown>> {
  try {
    return await parse(path, await fetchWithTimeout(path, call));
  } catch (cause) {
    throw cause instanceof Fault ? cause : toNetworkFault(cause);
  }
}
