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
  /** Sign-ups cost the server a password's hash: few at the same time. */
  signUps: <T>(work: () => Promise<T>) => Promise<T>;
  names: Iterator<string, never>;
}

// An access token is valid for 15 minutes.
const RENEW_AFTER = 10 * 60_000;
const UNAUTHENTICATED = 401;
const CONFLICT = 409;

/** An account at play: signs up once, in with what the file keeps later. */
export class Player {
  private token = "";
  private renewAt = 0;
  private opening: Promise<void> | null = null;

  constructor(
    readonly account: Account,
    private readonly context: Context,
  ) {}

  /** A call in the player's name. */
  async call(path: string, call: Call = {}): Promise<unknown> {
    await this.open();
    const { address } = this.account;
    return this.context.gateway.call(path, { ...call, bearer: this.token, address });
  }

  /** A call as a game's page makes it: from the same phone, without the player's token. */
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

  /** Null where the server does not know the account or its token (any more). */
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
      // The tool was stopped between a sign-up and the file.
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
        // Somebody has that name already.
        if (!(error instanceof Refused && error.status === CONFLICT)) throw error;
      }
    }
  }
}
