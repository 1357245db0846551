import { vi } from "vitest";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Answer =
  | { statusCode: number; payload?: unknown; statusMessage?: string; retryAfter?: number }
  | Error
  | DOMException;
type Handler = (seen: Seen) => Answer | Promise<Answer>;

/** Replaces `fetch` with a stub gateway that answers by "METHOD /path", records the calls, and fails unexpected ones. */
export function stubGateway(handlers: Record<string, Handler>) {
  const seen: Seen[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const call: Seen = {
      method: init.method ?? "GET",
      path: url.replace(/^\/api/, ""),
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    };
    seen.push(call);
    const handler = handlers[`${call.method} ${call.path}`];
    if (!handler) throw new Error(`unexpected call: ${call.method} ${call.path}`);
    const answer = await handler(call);
    if (answer instanceof Error || answer instanceof DOMException) throw answer;
    const { retryAfter, ...envelope } = answer;
    return new Response(JSON.stringify({ statusMessage: "OK", payload: null, ...envelope }), {
      status: answer.statusCode,
      headers: {
        "x-trace-id": "0af7651916cd43dd8448eb211c80319c",
        ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
      },
    });
  });
  return seen;
}
