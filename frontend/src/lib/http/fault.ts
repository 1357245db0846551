/** Codes of failures that the client detects itself. */
export const OFFLINE = "OFFLINE";
export const TIMED_OUT = "TIMED_OUT";
export const BAD_REPLY = "BAD_REPLY";

/** Codes with which the server refuses an access token or a refresh token. */
const NOT_SIGNED_IN = ["UNAUTHENTICATED", "SESSION_REVOKED"];

export interface FaultDetails {
  /** Machine-readable reason: the envelope's payload code, or one of the codes above. */
  readonly code: string;
  /** HTTP status; 0 when there was no reply. */
  readonly status: number;
  /** The path of the call whose envelope carried the error; undefined when the reply was not an envelope. */
  readonly path?: string;
  /** The server's message for each request field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Trace id of the call, as Jaeger has it. */
  readonly traceId?: string | undefined;
  /** How long the server asks to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
}

/** Why a call failed. The message can be shown to the player. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: string;
  readonly status: number;
  readonly path: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly traceId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: FaultDetails) {
    super(message);
    this.code = details.code;
    this.status = details.status;
    this.path = details.path;
    this.fields = details.fields ?? {};
    this.traceId = details.traceId;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the server refused the request: repeating it will not help. An ingress's error page does not count. */
  get refused(): boolean {
    const { code, status } = this;
    return code !== BAD_REPLY && status >= 400 && status < 500 && status !== 408 && status !== 429;
  }

  /**
   * Whether the server refused the caller's token. A wrong password, code or re-authentication is also a 401, but it
   * says nothing about the session, and a repeat would use up another attempt.
   */
  get unauthenticated(): boolean {
    return this.refused && this.status === 401 && NOT_SIGNED_IN.includes(this.code);
  }
}
