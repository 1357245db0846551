import { useCallback, useEffect, useRef, useState } from "react";
import { fetchChallenge } from "@/features/auth/api";
import { solveCaptcha } from "@/features/auth/captcha";
import { serverNow } from "@/lib/clock";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";

export type CaptchaState = "idle" | "solving" | "solved" | "expired";

/** The server's word for a proof that it no longer takes, and ours for one that it would not take. */
const CAPTCHA_EXPIRED = "CAPTCHA_EXPIRED";

interface Proof {
  readonly payload: string;
  /** When the server's challenge ends, in ms since the epoch by its clock. */
  readonly expiresAt: number;
}

export interface Captcha {
  readonly state: CaptchaState;
  /** Fetches a puzzle and solves it; what is under way or solved already is not begun again. */
  solve(): void;
  /** The proof to send, solved now if it has to be. @throws Fault when the one there was has expired. */
  take(): Promise<string>;
  /** What was taken has been sent in vain: a proof is good once. */
  reset(cause: unknown): void;
}

async function prove(signal: AbortSignal): Promise<Proof> {
  const challenge = await fetchChallenge();
  const payload = await solveCaptcha(challenge, signal);
  const { expiresAt } = challenge.parameters;
  return { payload, expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1_000 };
}

function expired(): Fault {
  return new Fault(t("auth.captcha.expired"), { code: CAPTCHA_EXPIRED, status: 0 });
}

/** One captcha on a screen: a puzzle is solved when it is asked for, and its proof lives as long as the server's challenge. */
export function useCaptcha(): Captcha {
  const [state, setState] = useState<CaptchaState>("idle");
  const held = useRef<{ readonly proof: Promise<Proof>; readonly stop: AbortController } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const drop = useCallback((next: CaptchaState) => {
    clearTimeout(timer.current);
    held.current?.stop.abort();
    held.current = null;
    setState(next);
  }, []);

  const begin = useCallback(() => {
    if (held.current) return held.current.proof;
    const stop = new AbortController();
    const proof = prove(stop.signal);
    held.current = { proof, stop };
    setState("solving");
    const stillHeld = () => held.current?.proof === proof;
    proof.then(
      ({ expiresAt }) => {
        if (!stillHeld()) return;
        setState("solved");
        const left = expiresAt - serverNow();
        if (Number.isFinite(left)) timer.current = setTimeout(() => drop("expired"), left);
      },
      (cause: unknown) => {
        if (!stillHeld()) return;
        drop("idle");
        toast.error(messageOf(cause));
      },
    );
    return proof;
  }, [drop]);

  const take = useCallback(async () => {
    if (state === "expired") throw expired();
    const { payload, expiresAt } = await begin();
    // A phone that slept has let the timer sleep too.
    if (expiresAt > serverNow()) return payload;
    drop("expired");
    throw expired();
  }, [begin, drop, state]);

  const reset = useCallback(
    (cause: unknown) => {
      const isExpired = cause instanceof Fault && cause.code === CAPTCHA_EXPIRED;
      drop(isExpired ? "expired" : "idle");
    },
    [drop],
  );

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      held.current?.stop.abort();
      held.current = null;
    },
    [],
  );

  return { state, solve: begin, take, reset };
}
