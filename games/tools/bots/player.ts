import type { Account, Accounts } from "./accounts";
import { type Challenge, solveCaptcha } from "./captcha";
import { type Call, type Gateway, Refused } from "./gateway";

interface Session {
  uid: string;
  accessToken: string;
  refreshToken: string;
}

export interface Context {
  gateway: Gateway;
  accounts: Accounts;
  /** Limits concurrent sign-ups, because each costs the server a password hash. */
  signUps: <T>(work: () => Promise<T>) => Promise<T>;
  names: Iterator<string, never>;
}

// An access token is valid for 15 minutes.
const RENEW_AFTER = 10 * 60_000;
const UNAUTHENTICATED = 401;
const CONFLICT = 409;

/** The account of a bot at play: signs up once, and later signs in from the file. */
export class Player {
  private token = "";
  private renewAt = 0;
  private opening: Promise<void> | null = null;

  constructor(
    readonly account: Account,
    private readonly context: Context,
  ) {}

  /** Makes a call with the player's token. */
  async call(path: string, call: Call = {}): Promise<unknown> {
    await this.open();
    const { address } = this.account;
    return this.context.gateway.call(path, { ...call, bearer: this.token, address });
  }

  /** Makes a call as a game's page does: from the same phone, without the player's token. */
  callAsGuest(path: string, call: Call = {}): Promise<unknown> {
    return this.context.gateway.call(path, { ...call, address: this.account.address });
  }

  /** Signs in, or up, unless that is done. */
  async open(): Promise<void> {
    if (Date.now() < this.renewAt) return;
    this.opening ??= this.enter().finally(() => {
      this.opening = null;
    });
    await this.opening;
  }

  private async enter(): Promise<void> {
    const { account, context } = this;
    const session =
      (await this.refresh()) ??
      (account.username ? await context.signUps(() => this.signIn()) : null) ??
      (await context.signUps(() => this.signUp()));
    this.keep(session);
    if (!account.username) await this.completeProfile(session.uid);
  }

  private keep({ accessToken, refreshToken }: Session): void {
    this.token = accessToken;
    this.renewAt = Date.now() + RENEW_AFTER;
    this.account.refreshToken = refreshToken;
    this.context.accounts.touch();
  }

  private async refresh(): Promise<Session | null> {
    const { refreshToken } = this.account;
    if (!refreshToken) return null;
    return this.unlessUnknown("/auth/refresh", { refreshToken });
  }

  private signIn(): Promise<Session | null> {
    const { email, password } = this.account;
    return this.unlessUnknown("/auth/sign-in", { email, password });
  }

  /** Returns null if the server does not know the account or its token (any more). */
  private async unlessUnknown(path: string, body: unknown): Promise<Session | null> {
    try {
      return (await this.callAsGuest(path, { method: "POST", body })) as Session;
    } catch (error) {
      if (error instanceof Refused && error.status === UNAUTHENTICATED) return null;
      throw error;
    }
  }

  private async signUp(): Promise<Session> {
    const { account } = this;
    const captcha = await solveCaptcha((await this.callAsGuest("/auth/captcha")) as Challenge);
    const body = { email: account.email, password: account.password, captcha };
    try {
      const session = (await this.callAsGuest("/auth/sign-up", { method: "POST", body })) as Session;
      account.username = "";
      account.played = [];
      return session;
    } catch (error) {
      // The tool was stopped after a sign-up, before the file was written.
      const session = error instanceof Refused && error.status === CONFLICT ? await this.signIn() : null;
      if (!session) throw error;
      return session;
    }
  }

  private async completeProfile(uid: string): Promise<void> {
    const { gateway, names, accounts } = this.context;
    const { address } = this.account;
    const bearer = this.token;
    await gateway.call("/auth/login", { bearer, address });
    for (;;) {
      const username = names.next().value;
      try {
        await gateway.call(`/profile/${uid}`, { method: "PUT", body: { username }, bearer, address });
        this.account.username = username;
        accounts.touch();
        return;
      } catch (error) {
        // Another player has the username already.
        if (!(error instanceof Refused && error.status === CONFLICT)) throw error;
      }
    }
  }
}
