import { useEffect, useState } from "react";
import { isFinal } from "@/features/wallet/api/requests";
import {
  ageFromNow,
  followPayment,
  PAYMENT_TIMEOUT_MS,
  type Progress,
} from "@/features/wallet/followPayment";
import { ownPendingPayments } from "@/features/wallet/pendingStore";

/** A pause of live updates shorter than this is not shown: most breaks are shorter. */
export const PAUSE_NOTICE_MS = 3_000;
/** How long a completed payment stays on the waiting screen, so that the player can read the result. */
export const RESULT_DISPLAY_MS = 1_500;

const IN_PROGRESS: Progress = { status: "IN_PROGRESS", message: "" };

/** The status before the server has replied. */
function initialProgress(paymentId: string): Progress {
  const known = ownPendingPayments().find((each) => each.paymentId === paymentId);
  return known?.failed === undefined ? IN_PROGRESS : { status: "ERROR", message: known.failed };
}

/** A payment's progress, and whether its live updates have been missing for a while. */
function useProgress(paymentId: string): { readonly progress: Progress; readonly isPaused: boolean } {
  const [progress, setProgress] = useState<Progress>(() => initialProgress(paymentId));
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    let notice: ReturnType<typeof setTimeout> | undefined;
    const onLive = (isLive: boolean) => {
      if (isLive) {
        clearTimeout(notice);
        notice = undefined;
        setPaused(false);
      } else notice ??= setTimeout(() => setPaused(true), PAUSE_NOTICE_MS);
    };
    setProgress(initialProgress(paymentId));
    setPaused(false);
    const stop = followPayment(paymentId, setProgress, onLive);
    return () => {
      clearTimeout(notice);
      stop();
    };
  }, [paymentId]);
  return { progress, isPaused };
}

/**
 * Seconds since the payment was created, by the server's clock, which a reload does not reset. Capped at the timeout for
 * wrong phone clocks.
 */
function useElapsed(paymentId: string, running: boolean): number {
  const [age] = useState(() => ageFromNow(paymentId));
  const seconds = () => Math.floor(Math.min(age(), PAYMENT_TIMEOUT_MS) / 1000);
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return seconds();
}

export interface PaymentWait {
  readonly progress: Progress;
  /** Whether the payment is not final. */
  readonly isOpen: boolean;
  /** Whether live updates have been missing for a while; the payment is polled meanwhile. */
  readonly isPaused: boolean;
  /** Seconds since the payment was created. */
  readonly elapsed: number;
}

/**
 * Follows one payment of any kind until it is final. Calls `onCompleted` once the player had time to read the result.
 */
export function usePaymentWait(paymentId: string, onCompleted: () => void): PaymentWait {
  const { progress, isPaused } = useProgress(paymentId);
  const { status } = progress;
  const isOpen = !isFinal(status);
  const elapsed = useElapsed(paymentId, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on a change of status only, not of `onCompleted`
  useEffect(() => {
    if (status !== "COMPLETED") return;
    const timer = setTimeout(onCompleted, RESULT_DISPLAY_MS);
    return () => clearTimeout(timer);
  }, [status]);
  return { progress, isOpen, isPaused, elapsed };
}
