import type { Challenge } from "altcha-lib/types";
import * as z from "zod/mini";
import { asGuest, asPlayer } from "@/lib/http/client";
import { payloadOf } from "@/lib/http/wire";
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
});

// The parameters are passed on as they came: the server's signature covers every one of them.
const challenge = z.looseObject({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
  }),
});

export async function fetchProviders(): Promise<Providers> {
  return payloadOf(providers, await asGuest("/auth/providers"));
}

export async function fetchChallenge(): Promise<Challenge> {
  const raw = payloadOf(challenge, await asGuest("/auth/captcha"));
  const { signature } = raw;
  return typeof signature === "string"
    ? { parameters: raw.parameters, signature }
    : { parameters: raw.parameters };
}

export async function signIn(email: string, password: string): Promise<Session> {
  return payloadOf(session, await asGuest("/auth/sign-in", { method: "POST", body: { email, password } }));
}

export async function signUp(email: string, password: string, captcha: string): Promise<Session> {
  const body = { email, password, captcha };
  return payloadOf(session, await asGuest("/auth/sign-up", { method: "POST", body }));
}

export async function signOut(): Promise<void> {
  const refreshToken = currentSession()?.refreshToken;
  if (refreshToken) await asPlayer("/auth/sign-out", { method: "POST", body: { refreshToken } });
}

/** Ends every session of the player. Returns the server's words. */
export async function signOutEverywhere(): Promise<string> {
  return (await asPlayer("/auth/sign-out-everywhere", { method: "POST" })).statusMessage;
}
