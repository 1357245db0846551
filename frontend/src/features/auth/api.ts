import type { Challenge } from "altcha-lib/types";
import * as z from "zod/mini";
import { API_BASE } from "@/lib/env";
import { asGuest, asPlayer } from "@/lib/http/client";
import type { Reply } from "@/lib/http/envelope";
import { parsePayload } from "@/lib/http/wire";
import { currentSession, type Session } from "@/lib/session/session";

const providers = z.object({
  email: z.boolean(),
  phone: z.boolean(),
  google: z.boolean(),
  facebook: z.boolean(),
});
export type Providers = z.infer<typeof providers>;

const session = z.object({
  uid: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
  expirationTime: z.number(),
  isNewUser: z.optional(z.boolean()),
});

/** The result of every way to sign in. */
export interface SignedIn {
  readonly session: Session;
  /** Whether this sign-in created the account. */
  readonly isNewUser: boolean;
}

function signedIn(reply: Reply<unknown>): SignedIn {
  const { isNewUser = false, ...rest } = parsePayload(session, reply);
  return { session: rest, isNewUser };
}

// Unknown parameters are passed through, because the server's signature covers all of them.
const challenge = z.looseObject({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
    expiresAt: z.optional(z.number()),
  }),
});

export async function fetchProviders(): Promise<Providers> {
  return parsePayload(providers, await asGuest("/auth/providers"));
}

export async function fetchChallenge(): Promise<Challenge> {
  const { parameters, signature } = parsePayload(challenge, await asGuest("/auth/captcha"));
  const { expiresAt, ...rest } = parameters;
  return {
    parameters: expiresAt === undefined ? rest : { ...rest, expiresAt },
    ...(typeof signature === "string" ? { signature } : {}),
  };
}

export async function signIn(email: string, password: string): Promise<SignedIn> {
  return signedIn(await asGuest("/auth/sign-in", { method: "POST", body: { email, password } }));
}

export async function signUp(email: string, password: string, captcha: string): Promise<SignedIn> {
  const body = { email, password, captcha };
  return signedIn(await asGuest("/auth/sign-up", { method: "POST", body }));
}

const phoneChallenge = z.object({
  challengeId: z.string(),
  expiresAt: z.iso.datetime({ offset: true }),
  resendAt: z.iso.datetime({ offset: true }),
});

/** A code that was sent. Times are in ms since the epoch, by the server's clock. */
export interface SentCode {
  readonly challengeId: string;
  readonly expiresAt: number;
  /** When another code may be requested. */
  readonly resendAt: number;
  /** The server's message. */
  readonly message: string;
}

export async function sendCode(phone: string, captcha: string): Promise<SentCode> {
  const reply = await asGuest("/auth/phone/start", { method: "POST", body: { phone, captcha } });
  const { challengeId, expiresAt, resendAt } = parsePayload(phoneChallenge, reply);
  return {
    challengeId,
    expiresAt: Date.parse(expiresAt),
    resendAt: Date.parse(resendAt),
    message: reply.statusMessage,
  };
}

export async function verifyCode(challengeId: string, code: string): Promise<SignedIn> {
  return signedIn(await asGuest("/auth/phone/verify", { method: "POST", body: { challengeId, code } }));
}

export type OAuthProvider = "google" | "facebook";

/** The URL that starts a sign-in with a provider. With `redirect` the flow returns to that page in this window. */
export function oauthStart(provider: OAuthProvider, redirect?: string): string {
  const start = `${API_BASE}/auth/oauth/${provider}/start`;
  return redirect === undefined ? start : `${start}?${new URLSearchParams({ redirect })}`;
}

export async function exchangeOAuth(code: string): Promise<SignedIn> {
  return signedIn(await asGuest("/auth/oauth/exchange", { method: "POST", body: { code } }));
}

/** Requests a reset mail. Returns the server's message, which is the same whether or not the account exists. */
export async function requestPasswordReset(email: string): Promise<string> {
  return (await asGuest("/auth/password/reset", { method: "POST", body: { email } })).statusMessage;
}

export async function confirmPasswordReset(token: string, newPassword: string): Promise<void> {
  await asGuest("/auth/password/reset/confirm", { method: "POST", body: { token, newPassword } });
}

export interface PasswordChange {
  readonly email: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Returns the server's message. */
export async function changePassword(change: PasswordChange): Promise<string> {
  return (await asPlayer("/auth/password", { method: "PUT", body: change })).statusMessage;
}

/** Confirms the email of a new account. Repeating the call with the same token gives the same result. */
export async function confirmEmail(token: string): Promise<null> {
  await asGuest("/auth/email/confirm", { method: "POST", body: { token } });
  return null;
}

export async function signOut(): Promise<void> {
  const refreshToken = currentSession()?.refreshToken;
  if (refreshToken) await asPlayer("/auth/sign-out", { method: "POST", body: { refreshToken } });
}

/** Ends every session of the player. Returns the server's message. */
export async function signOutEverywhere(): Promise<string> {
  return (await asPlayer("/auth/sign-out-everywhere", { method: "POST" })).statusMessage;
}
