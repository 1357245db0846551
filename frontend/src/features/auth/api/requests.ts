import type * as z from "zod/mini";
import type { ChangePassword } from "@/gen/api/changePassword";
import type { ConfirmDevice } from "@/gen/api/confirmDevice";
import type { ConfirmEmail } from "@/gen/api/confirmEmail";
import type { ConfirmOAuthJoin } from "@/gen/api/confirmOAuthJoin";
import type { ConfirmReset } from "@/gen/api/confirmReset";
import type { ExchangeOAuth } from "@/gen/api/exchangeOAuth";
import { MailedCode as mailedCode } from "@/gen/api/mailedCode";
import { Providers as providers } from "@/gen/api/providers";
import type { RejectEmail } from "@/gen/api/rejectEmail";
import type { RequestReset } from "@/gen/api/requestReset";
import { SentCode as sentCode } from "@/gen/api/sentCode";
import { Session as newSession } from "@/gen/api/session";
import type { SignIn } from "@/gen/api/signIn";
import type { SignOut } from "@/gen/api/signOut";
import type { SignUp } from "@/gen/api/signUp";
import type { StartOAuthJoin } from "@/gen/api/startOAuthJoin";
import type { StartPhone } from "@/gen/api/startPhone";
import type { VerifyPhone } from "@/gen/api/verifyPhone";
import { API_BASE } from "@/lib/env";
import { asGuest, asPlayer } from "@/lib/http/client";
import type { Reply } from "@/lib/http/envelope";
import { parsePayload } from "@/lib/http/wire";
import { currentLanguage } from "@/lib/i18n/language";
import { renewedToken } from "@/lib/session/access";
import { currentSession, type Session } from "@/lib/session/session";

export type Providers = z.infer<typeof providers>;

/** The result of every way to sign in. */
export interface SignedIn {
  readonly session: Session;
  /** Whether this sign-in created the account. */
  readonly isNewUser: boolean;
}

function signedIn(reply: Reply<unknown>): SignedIn {
  const { isNewUser, ...session } = parsePayload(newSession, reply);
  return { session, isNewUser };
}

export async function fetchProviders(): Promise<Providers> {
  return parsePayload(providers, await asGuest("/auth/providers"));
}

export async function signIn(email: string, password: string): Promise<SignedIn> {
  const body: SignIn = { email, password };
  return signedIn(await asGuest("/auth/sign-in", { method: "POST", body }));
}

export async function signUp(email: string, password: string, captcha: string): Promise<SignedIn> {
  const body: SignUp = { email, password, captcha };
  return signedIn(await asGuest("/auth/sign-up", { method: "POST", body }));
}

/** A code that was sent. Times are in ms since the epoch, by the server's clock. */
export interface SentCode {
  readonly challengeId: string;
  /** How many digits the code has. */
  readonly digits: number;
  readonly expiresAt: number;
  /** When another code may be requested. */
  readonly resendAt: number;
  /** The server's message. */
  readonly message: string;
}

export async function sendCode(phone: string, captcha: string): Promise<SentCode> {
  const body: StartPhone = { phone, captcha };
  const reply = await asGuest("/auth/phone/start", { method: "POST", body });
  const { challengeId, digits, expiresAt, resendAt } = parsePayload(sentCode, reply);
  return {
    challengeId,
    digits,
    expiresAt: Date.parse(expiresAt),
    resendAt: Date.parse(resendAt),
    message: reply.statusMessage,
  };
}

export async function verifyCode(challengeId: string, code: string): Promise<SignedIn> {
  const body: VerifyPhone = { challengeId, code };
  return signedIn(await asGuest("/auth/phone/verify", { method: "POST", body }));
}

export type OAuthProvider = "google" | "facebook";

/**
 * The URL that starts a sign-in with a provider. With `redirect` the flow returns to that page in this window. The
 * language is in the URL, because a window that the browser opens sends the browser's and not the player's choice.
 */
export function oauthStart(provider: OAuthProvider, redirect?: string): string {
  const language = currentLanguage();
  const query = new URLSearchParams(redirect === undefined ? { language } : { language, redirect });
  return `${API_BASE}/auth/oauth/${provider}/start?${query}`;
}

export async function exchangeOAuth(code: string): Promise<SignedIn> {
  const body: ExchangeOAuth = { code };
  return signedIn(await asGuest("/auth/oauth/exchange", { method: "POST", body }));
}

/** Mails the code that {@link confirmJoin} needs when another account has the email of the provider's account. */
export async function startJoin(code: string): Promise<MailedCode> {
  const body: StartOAuthJoin = { code };
  return mailed(await asGuest("/auth/oauth/join", { method: "POST", body }));
}

/** Signs in to the account with the email of the provider's account, which joins it. */
export async function confirmJoin(code: string, emailCode: string): Promise<SignedIn> {
  const body: ConfirmOAuthJoin = { code, emailCode };
  return signedIn(await asGuest("/auth/oauth/join/confirm", { method: "POST", body }));
}

/** Requests a reset mail. Returns the server's message, which is the same whether or not the account exists. */
export async function requestPasswordReset(email: string): Promise<string> {
  const body: RequestReset = { email };
  return (await asGuest("/auth/password/reset", { method: "POST", body })).statusMessage;
}

export async function confirmPasswordReset(token: string, newPassword: string): Promise<void> {
  const body: ConfirmReset = { token, newPassword };
  await asGuest("/auth/password/reset/confirm", { method: "POST", body });
}

/** Returns the server's message. */
export async function changePassword(body: ChangePassword): Promise<string> {
  return (await asPlayer("/auth/password", { method: "PUT", body })).statusMessage;
}

/** Confirms the email of a new account, by the account's password or the player's session. */
export async function confirmEmail(token: string, password?: string): Promise<void> {
  const body: ConfirmEmail = password === undefined ? { token } : { token, password };
  const call = currentSession() ? asPlayer : asGuest;
  await call("/auth/email/confirm", { method: "POST", body });
}

/** Removes an email from an account that its owner did not make. Returns the server's message. */
export async function rejectEmail(token: string): Promise<string> {
  const body: RejectEmail = { token };
  return (await asGuest("/auth/email/reject", { method: "POST", body })).statusMessage;
}

/** A code that was mailed. */
export interface MailedCode {
  /** The address, with most of its letters left out. */
  readonly emailHint: string;
  /** When another code may be requested, in ms since the epoch, by the server's clock. */
  readonly resendAt: number;
}

function mailed(reply: Reply<unknown>): MailedCode {
  const { emailHint, resendAt } = parsePayload(mailedCode, reply);
  return { emailHint, resendAt: Date.parse(resendAt) };
}

/** Mails the player a code that confirms this device. */
export async function startDeviceConfirmation(): Promise<MailedCode> {
  return mailed(await asPlayer("/auth/device/start", { method: "POST" }));
}

/** Confirms this device, and renews the access token, by which money leaves the wallet from then on. */
export async function confirmDevice(code: string): Promise<void> {
  const body: ConfirmDevice = { code };
  await asPlayer("/auth/device/confirm", { method: "POST", body });
  await renewedToken();
}

export async function signOut(): Promise<void> {
  const refreshToken = currentSession()?.refreshToken;
  if (!refreshToken) return;
  const body: SignOut = { refreshToken };
  await asPlayer("/auth/sign-out", { method: "POST", body });
}

/** Ends every session of the player. Returns the server's message. */
export async function signOutEverywhere(): Promise<string> {
  return (await asPlayer("/auth/sign-out-everywhere", { method: "POST" })).statusMessage;
}
