/** Codes the client makes up itself, for failures that no server answered. */
export const OFFLINE = "OFFLINE";
export const TIMED_OUT = "TIMED_OUT";
export const BAD_REPLY = "BAD_REPLY";

/** What the server answers to a bearer or a refresh token that it does not take. */
const NOT_SIGNED_IN = ["UNAUTHENTICATED", "SESSION_REVOKED"];

export interface FaultDetails {
  /** Machine-readable reason: the envelope's payload code, or one of the codes above. */
  readonly code: string;
  /** HTTP status, 0 when nothing answered. */
  readonly status: number;
  /** The path of the call whose envelope said so; none when what came was no envelope of ours. */
  readonly path?: string;
  /** Message per request field, in the server's words. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The id under which the trace of this call can be found. */
  readonly traceId?: string | undefined;
}

/** Why a call failed. Its message is fit to be shown to the player as it stands. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: string;
  readonly status: number;
  readonly path: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly traceId: string | undefined;

  constructor(message: string, details: FaultDetails) {
    super(message);
    this.code = details.code;
    this.status = details.status;
    this.path = details.path;
    this.fields = details.fields ?? {};
    this.traceId = details.traceId;
  }

  /** The server understood and said no: sending the same again will not help. An ingress's error page says nothing. */
  get refused(): boolean {
    const { code, status } = this;
    return code !== BAD_REPLY && status >= 400 && status < 500 && status !== 408 && status !== 429;
  }

  /**
   * The server does not take the caller's token. A wrong password, code or re-authentication is a 401 as well, but an
   * answer to what was typed: it says nothing of the session, and sending it again would use up another try.
   */
  get unauthenticated(): boolean {
    return this.refused && this.status === 401 && NOT_SIGNED_IN.includes(this.code);
  }
}
