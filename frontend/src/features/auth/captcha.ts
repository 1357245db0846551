import type { Challenge } from "altcha-lib/types";
import { solveChallenge } from "@/lib/captcha/captcha";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";

/** Solves a captcha for a call that carries one. @throws Fault CAPTCHA_FAILED. */
export async function solveCaptcha(challenge: Challenge, signal?: AbortSignal): Promise<string> {
  const solution = await solveChallenge(challenge, signal);
  if (solution === null) throw new Fault(t("auth.captcha.failed"), { code: "CAPTCHA_FAILED", status: 0 });
  return solution;
}
