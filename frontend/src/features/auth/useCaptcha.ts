import { useCallback, useEffect, useRef, useState } from "react";
import { fetchChallenge } from "@/features/auth/api";
import { solveCaptcha } from "@/features/auth/captcha";
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

async function prove(signal: AbortSignal): Promise<Proof> {
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
    // The expiry timer does not run while the phone is suspended.
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
