import type { Challenge, Solution } from "altcha-lib/types";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";

async function solve(challenge: Challenge, signal?: AbortSignal): Promise<Solution | null> {
  // Whoever asked may have left while the puzzle was on its way.
  signal?.throwIfAborted();
  // A worker, so that the page stays smooth on a phone that takes a second for it.
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Solution | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) => resolve(data);
    worker.onerror = () => reject(new Error("captcha worker"));
    signal?.addEventListener("abort", () => reject(signal.reason));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Does the proof of work and packs it the way ALTCHA's widget would. */
export async function solveCaptcha(challenge: Challenge, signal?: AbortSignal): Promise<string> {
  const solution = await solve(challenge, signal).catch(() => null);
  if (!solution) throw new Fault(t("auth.captcha.failed"), { code: "CAPTCHA_FAILED", status: 0 });
  const { parameters, signature } = challenge;
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}
