import { vi } from "vitest";
import { aPlayer, aSession } from "@/test/players";

/** A captcha challenge that is valid for five minutes. */
export function aChallenge(nonce = "00", lifeMs = 300_000) {
  return {
    parameters: {
      algorithm: "PBKDF2/SHA-256",
      nonce,
      salt: "00",
      cost: 1,
      keyLength: 32,
      keyPrefix: "00",
      expiresAt: Math.round((Date.now() + lifeMs) / 1_000),
    },
    signature: "s",
  };
}

/** The reply to a sign-in. */
export function signedIn(isNewUser = false) {
  return () => ({ statusCode: 200, payload: { ...aSession(), isNewUser } });
}

export function profileOfPlayer() {
  return { statusCode: 200, payload: aPlayer(), statusMessage: "You have been logged in." };
}

export const everyProvider = { email: true, phone: true, google: true, facebook: true };

interface Challenge {
  readonly parameters: { readonly nonce: string };
}

/** A worker that solves challenges at once or, with `paused`, when `solve` is called. `given` records the challenges. */
export function stubCaptchaSolver({ paused = false } = {}) {
  const given: Challenge[] = [];
  const waiting: (() => void)[] = [];
  class Solver {
    onmessage: ((event: { data: unknown }) => void) | null = null;
    postMessage(challenge: Challenge) {
      given.push(challenge);
      const answer = () => this.onmessage?.({ data: { counter: 1, derivedKey: challenge.parameters.nonce } });
      if (paused) waiting.push(answer);
      else queueMicrotask(answer);
    }
    terminate() {
      this.onmessage = null;
    }
  }
  vi.stubGlobal("Worker", Solver);
  return { given, solve: () => waiting.splice(0).forEach((answer) => void answer()) };
}

/** The nonce of the challenge that a submitted captcha solves. */
export function challengeOf(body: unknown): string {
  const { captcha } = body as { captcha: string };
  const { challenge, solution } = JSON.parse(atob(captcha)) as {
    challenge: Challenge;
    solution: { derivedKey: string };
  };
  if (solution.derivedKey !== challenge.parameters.nonce)
    throw new Error("the solution of another challenge");
  return challenge.parameters.nonce;
}
