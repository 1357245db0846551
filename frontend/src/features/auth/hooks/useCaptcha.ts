import { useCallback, useEffect, useRef, useState } from "react";
import { solveCaptcha } from "@/features/auth/captcha";
import { fetchChallenge } from "@/lib/captcha/captcha";
import { serverNow } from "@/lib/clock";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";

export type CaptchaState = "idle" | "solving" | "solved" | "expired";

/** The server's code for a proof that it no longer accepts; also used for a proof that expired before it was sent. */
const CAPTCHA_EXPIRED = "CAPTCHA_EXPIRED";

interface Proof {
  readonly payload: string;
  /** The expiry of the server's challenge, in ms since the epoch by the server's clock. */
  readonly expiresAt: number;
}

export interface Captcha {
  readonly state: CaptchaState;
  /** Fetches and solves a challenge, unless one is being solved or is solved already. */
  solve(): void;
  /** Returns the proof to send, solving it first if necessary. @throws Fault CAPTCHA_EXPIRED. */
  take(): Promise<string>;
  /** Discards the proof after a failed call, because a proof can be used once. */
  reset(cause: unknown): void;
}

async function solveChallenge(signal: AbortSignal): Promise<Proof> {
  const challenge = await fetchChallenge();
  const payload = await solveCaptcha(challenge, signal);
  const { expiresAt } = challenge.parameters;
  return { payload, expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1_000 };
}

function expired(): Fault {
  return new Fault(t("auth.captcha.expired"), { code: CAPTCHA_EXPIRED, status: 0 });
}

/** One captcha of a screen. It is solved on demand, and its proof expires with the server's challenge. */
export function useCaptcha(): Captcha {
  const [state, setState] = useState<CaptchaState>("idle");
  const attempt = useRef<{ readonly proof: Promise<Proof>; readonly stop: AbortController } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const discard = useCallback((next: CaptchaState) => {
    clearTimeout(timer.current);
    attempt.current?.stop.abort();
    attempt.current = null;
    setState(next);
  }, []);

  const startSolving = useCallback(() => {
    if (attempt.current) return attempt.current.proof;
    const stop = new AbortController();
    const proof = solveChallenge(stop.signal);
    attempt.current = { proof, stop };
    setState("solving");
    const isCurrent = () => attempt.current?.proof === proof;
    proof.then(
      ({ expiresAt }) => {
        if (!isCurrent()) return;
        setState("solved");
        const left = expiresAt - serverNow();
        if (Number.isFinite(left)) timer.current = setTimeout(() => discard("expired"), left);
      },
      (cause: unknown) => {
        if (!isCurrent()) return;
        discard("idle");
        toast.error(messageOf(cause));
      },
    );
    return proof;
  }, [discard]);

  const take = useCallback(async () => {
    if (state === "expired") throw expired();
    const { payload, expiresAt } = await startSolving();
    // The expiry timer does not run while the phone is suspended.
    if (expiresAt > serverNow()) return payload;
    discard("expired");
    throw expired();
  }, [startSolving, discard, state]);

  const reset = useCallback(
    (cause: unknown) => {
      const isExpired = cause instanceof Fault && cause.code === CAPTCHA_EXPIRED;
      discard(isExpired ? "expired" : "idle");
    },
    [discard],
  );

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      attempt.current?.stop.abort();
      attempt.current = null;
    },
    [],
  );

  return { state, solve: startSolving, take, reset };
}
