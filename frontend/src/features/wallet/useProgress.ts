import { useEffect, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { fetchPayment, heardOf, isFinal, type PaymentStatus } from "./api";
import { ageOf, ownUnderway } from "./underway";

/** Timeout of a payment, from its creation: then it is polled once more and given up. */
export const PATIENCE_MS = 120_000;
/** Delay before the stream's code is loaded again after a failure. */
export const NO_CODE_MS = 5_000;

export interface Progress {
  readonly status: PaymentStatus;
  /** The server's message about the status; empty when it has none. */
  readonly message: string;
  /** The waiting has timed out although the payment may still complete. */
  readonly open?: boolean;
}

const OPENING: Progress = { status: "IN_PROGRESS", message: "" };

/** Returns a function for the payment's age in ms. The age comes from the payment id, so a reload does not reset it. */
export function ageFromNow(paymentId: string): () => number {
  const seen = Date.now();
  return () => ageOf(paymentId) ?? Date.now() - seen;
}

/**
 * Follows one payment until it is final: by the live stream, by plain calls whenever the stream is lost, and by one last
 * poll after two minutes. The stream's code is loaded after the screen, which must at once say what to do on the phone.
 * Returns the function that stops it.
 */
export function followPayment(paymentId: string, tell: (progress: Progress) => void): () => void {
  const age = ageFromNow(paymentId);
  let over = false;
  let unwatch: () => void = () => {};
  let patience: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    over = true;
    clearTimeout(patience);
    clearTimeout(again);
    unwatch();
  };
  const hear = (progress: Progress) => {
    if (over) return;
    if (isFinal(progress.status)) stop();
    tell(progress);
  };
  const ask = async (): Promise<void> => {
    const { status, message } = await fetchPayment(paymentId);
    hear({ status, message: message ?? "" });
  };
  const bePatient = () => {
    patience = setTimeout(() => void lastQuestion(), Math.max(0, PATIENCE_MS - age()));
  };
  const lastQuestion = async (): Promise<void> => {
    await ask().catch(() => {});
    if (over) return;
    // The reply may have corrected the server clock's offset, and with it the time that is left.
    if (age() < PATIENCE_MS) bePatient();
    else hear({ status: "ERROR", message: t("waiting.timeout"), open: true });
  };
  bePatient();

  // A failed poll is repeated when the next stream attempt is lost, or at the timeout.
  const askMeanwhile = () => void ask().catch(() => {});
  const watch = async (): Promise<void> => {
    try {
      const { watchProgress } = await import("./live");
      if (over) return;
      unwatch = watchProgress(paymentId, {
        onProgress: (status, message) => {
          heardOf({ paymentId, status, message });
          hear({ status, message });
        },
        onRefused: (message) => hear({ status: "ERROR", message, open: true }),
        onLost: askMeanwhile,
      });
    } catch {
      if (over) return;
      askMeanwhile();
      again = setTimeout(() => void watch(), NO_CODE_MS);
    }
  };
  void watch();
  return stop;
}

/** The status before the server has replied. */
function opening(paymentId: string): Progress {
  const known = ownUnderway().find((each) => each.paymentId === paymentId);
  return known?.failed === undefined ? OPENING : { status: "ERROR", message: known.failed };
}

export function useProgress(paymentId: string): Progress {
  const [progress, setProgress] = useState<Progress>(() => opening(paymentId));
  useEffect(() => {
    setProgress(opening(paymentId));
    return followPayment(paymentId, setProgress);
  }, [paymentId]);
  return progress;
}
