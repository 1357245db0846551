import type { Challenge, Solution } from "altcha-lib/types";
import { fetchChallenge } from "@/features/auth/api/requests";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";

async function solve(challenge: Challenge, signal?: AbortSignal): Promise<Solution | null> {
  // The caller may have aborted while the challenge was being fetched.
  signal?.throwIfAborted();
  // The worker keeps the page responsive on a phone that needs a second for the solution.
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Solution | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) => resolve(data);
    worker.onerror = () => reject(new Error("captcha worker"));
    signal?.addEventListener("abort", () => reject(signal.reason));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/**
 * Makes a call that may need a captcha, and repeats it with one if the server asks: many players share a carrier's
 * address, and someone else behind it has guessed passwords, or asked for many links.
 */
export async function withCaptchaIfNeeded<T>(call: (captcha?: string) => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "CAPTCHA_NEEDED") throw cause;
    return call(await solveCaptcha(await fetchChallenge()));
  }
}

/** Solves the proof of work and encodes it as ALTCHA's widget does. @throws Fault CAPTCHA_FAILED. */
export async function solveCaptcha(challenge: Challenge, signal?: AbortSignal): Promise<string> {
  const solution = await solve(challenge, signal).catch(() => null);
  if (!solution) throw new Fault(t("auth.captcha.failed"), { code: "CAPTCHA_FAILED", status: 0 });
  const { parameters, signature } = challenge;
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}
