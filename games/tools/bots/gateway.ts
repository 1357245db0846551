import { lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { limit } from "./limit";

/** Looks a host up as browsers do: all names below localhost are this machine. */
const lookupAsBrowsers: LookupFunction = (host, options, done) =>
  lookup(host.endsWith(".localhost") ? "127.0.0.1" : host, options, done);

/** The gateway refused a call for good. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
  ) {
    super(`${code}: ${text}`);
  }
}

export interface Call {
  method?: string;
  body?: unknown;
  bearer?: string | undefined;
  /** The client address of the call, on a mesh of this machine. */
  address?: string | undefined;
}

interface Answer {
  status: number;
  retryAfter: number;
  body: Buffer;
}

const TIMEOUT = 20_000;
const ATTEMPTS = 8;
const FIRST_WAIT = 800;
const LONGEST_WAIT = 15_000;

/** Calls the gateway as the app does: with the app's retries, and few calls at the same time. */
export class Gateway {
  /** Number of calls that were sent again. */
  again = 0;
  private readonly origin: string;
  private readonly isLocal: boolean;
  private readonly atMost: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(url: string, calls: number) {
    const { origin, hostname } = new URL(url);
    this.origin = origin;
    this.isLocal = hostname === "localhost" || hostname.startsWith("127.");
    this.atMost = limit(calls);
  }

  /** Sends a call under /api and returns its payload. @throws Refused */
  async call(path: string, call: Call = {}): Promise<unknown> {
    const { status, body } = await this.answer(`${this.origin}/api${path}`, call);
    const envelope = parse(body);
    if (status >= 200 && status < 300) return envelope?.payload;
    throw new Refused(status, envelope?.payload?.code ?? String(status), envelope?.statusMessage ?? "");
  }

  /** Fetches a file, which may be on another origin. */
  async file(url: string, address?: string): Promise<Buffer> {
    const { status, body } = await this.answer(url, { address });
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    return body;
  }

  private async answer(url: string, call: Call): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.atMost(() => this.send(url, call)).catch((error: Error) => error);
      const isFinal = !(answer instanceof Error) && !mayBeSentAgain(answer.status);
      if (isFinal) return answer;
      if (attempt === ATTEMPTS) {
        if (answer instanceof Error) throw answer;
        return answer;
      }
      this.again++;
      const grown = Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
      await sleep(Math.max(grown, answer instanceof Error ? 0 : answer.retryAfter * 1000));
    }
  }

  private send(url: string, { method = "GET", body, bearer, address }: Call): Promise<Answer> {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string | number> = { accept: "application/json" };
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    if (text !== undefined) {
      headers["content-type"] = "application/json";
      headers["content-length"] = Buffer.byteLength(text);
    }
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method,
          headers,
          timeout: TIMEOUT,
          agent: false,
          lookup: lookupAsBrowsers,
          ...(address && this.isLocal ? { localAddress: address } : {}),
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("error", reject);
          response.on("end", () => {
            const retryAfter = Math.min(Math.max(Number(response.headers["retry-after"]) || 0, 0), 60);
            resolve({ status: response.statusCode ?? 0, retryAfter, body: Buffer.concat(parts) });
          });
        },
      );
      sent.on("timeout", () => sent.destroy(new Error(`${url} does not answer`)));
      sent.on("error", reject);
      sent.end(text);
    });
  }
}

function mayBeSentAgain(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

interface Envelope {
  statusMessage?: string;
  payload?: { code?: string } | null;
}

function parse(body: Buffer): Envelope | null {
  try {
    return JSON.parse(body.toString()) as Envelope;
  } catch {
    return null;
  }
}
