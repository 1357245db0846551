import { type Challenge, type Solution, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

declare const self: DedicatedWorkerGlobalScope;

/** The worker's reply; null when the challenge was not solved in time. */
export type Solved = Solution | null;

self.onmessage = async ({ data }: MessageEvent<Challenge>) => {
  const solution: Solved = await solveChallenge({ challenge: data, deriveKey });
  self.postMessage(solution);
};
