/** Codes the client makes up itself, for failures that no server answered. */
export const OFFLINE = "OFFLINE";
export const TIMED_OUT = "TIMED_OUT";
export const BAD_REPLY = "BAD_REPLY";

export interface FaultDetails {
  /** Machine-readable reason: the envelope's payload code, or one of the codes above. */
  readonly code: string;
  /** HTTP status, 0 when nothing answered. */
  readonly status: number;
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
  readonly fields: Readonly<Record<string, string>>;
  readonly traceId: string | undefined;

  constructor(message: string, details: FaultDetails) {
    super(message);
    this.code = details.code;
    this.status = details.status;
    this.fields = details.fields ?? {};
    this.traceId = details.traceId;
  }

  /** The server understood and said no: sending the same again will not help. */
  get refused(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }

  /** The call is not served by this gateway. */
  get absent(): boolean {
    return this.status === 404 || this.status === 405 || this.status === 501;
  }
}
