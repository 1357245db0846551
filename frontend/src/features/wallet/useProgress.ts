import { useEffect, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { fetchPayment, heardOf, isFinal, type PaymentStatus } from "./api";
import { ageOf, ownUnderway } from "./underway";

/** How long after its beginning a payment is waited for before it is asked for once more and given up. */
export const PATIENCE_MS = 120_000;
/** How long a line that did not bring the stream's code is left alone. */
export const NO_CODE_MS = 5_000;

export interface Progress {
  readonly status: PaymentStatus;
  /** The server's words on the present status; empty when it has none. */
  readonly message: string;
  /** It is only no longer waited for: how it ends is not known yet. */
  readonly open?: boolean;
}

const OPENING: Progress = { status: "IN_PROGRESS", message: "" };

/** The age of a payment from now on, in ms. Its id tells it, so that no reload makes it younger. */
export function ageFromNow(paymentId: string): () => number {
  const seen = Date.now();
  return () => ageOf(paymentId) ?? Date.now() - seen;
}

/**
 * Follows one payment to its end: by the live stream, by plain calls whenever the stream is lost, and after
 * two minutes by one last question. The stream's code comes after the screen, which has to say at once what to do on
 * the phone. Returns the way to stop.
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
    // The reply may have told that the phone's clock is wrong, and that there is time left.
    if (age() < PATIENCE_MS) bePatient();
    else hear({ status: "ERROR", message: t("waiting.timeout"), open: true });
  };
  bePatient();

  // What cannot be asked now is asked again when the next attempt is lost, or when patience ends.
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

/** What is known of a payment before the server has said anything. */
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
