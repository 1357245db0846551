import { type Challenge, type Solution, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

declare const self: DedicatedWorkerGlobalScope;

/** What the worker answers with: null when the puzzle was not solved in time. */
export type Solved = Solution | null;

self.onmessage = async ({ data }: MessageEvent<Challenge>) => {
  const solution: Solved = await solveChallenge({ challenge: data, deriveKey });
  self.postMessage(solution);
};
