import type { Challenge, Solution } from "altcha-lib/types";
import * as z from "zod/mini";
import { throwIfAborted } from "@/lib/aborted";
import { send } from "@/lib/http/envelope";
import { parsePayload } from "@/lib/http/wire";

// Written by hand, because the generated schema drops unknown parameters. They are passed through, because the server's signature covers all of them.
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

async function solve(challenge: Challenge, signal?: AbortSignal): Promise<Solution | null> {
  // The caller may have aborted while the challenge was being fetched.
  throwIfAborted(signal);
  // In a worker, so that the page stays responsive on a phone that needs a second for it.
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Solution | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) => resolve(data);
    worker.onerror = () => reject(new Error("captcha worker"));
    signal?.addEventListener("abort", () => reject(signal.reason));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

export async function fetchChallenge(): Promise<Challenge> {
  const { parameters, signature } = parsePayload(challenge, await send("/auth/captcha"));
  const { expiresAt, ...rest } = parameters;
  return {
    parameters: expiresAt === undefined ? rest : { ...rest, expiresAt },
    ...(typeof signature === "string" ? { signature } : {}),
  };
}

/** Solves the proof of work and encodes it as ALTCHA's widget does. Null when this browser cannot solve it. */
export async function solveChallenge(challenge: Challenge, signal?: AbortSignal): Promise<string | null> {
  const solution = await solve(challenge, signal).catch(() => null);
  if (!solution) return null;
  const { parameters, signature } = challenge;
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}
