import { useEffect, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { fetchPayment, heardOf, isFinal, type PaymentStatus } from "./api";

/** How long the screen waits for a final status before it asks once more and gives up. */
export const PATIENCE_MS = 120_000;
/** How long a line that did not bring the stream's code is left alone. */
export const NO_CODE_MS = 5_000;

export interface Progress {
  readonly status: PaymentStatus;
  /** The server's words on the present status; empty when it has none. */
  readonly message: string;
}

const OPENING: Progress = { status: "IN_PROGRESS", message: "" };

/**
 * Follows one payment to its end: by the live stream, by plain calls whenever the stream is lost, and after
 * two minutes by one last question. The stream's code comes after the screen, which has to say at once what to do on
 * the phone. Returns the way to stop.
 */
export function followPayment(paymentId: string, tell: (progress: Progress) => void): () => void {
  let over = false;
  let unwatch: () => void = () => {};
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
  const patience = setTimeout(() => {
    ask()
      .catch(() => {})
      .finally(() => hear({ status: "ERROR", message: t("waiting.timeout") }));
  }, PATIENCE_MS);

  // What cannot be asked now is asked again when the next attempt is lost, or when patience ends.
  const askMeanwhile = () => void ask().catch(() => {});
  const watch = async (): Promise<void> => {
    try {
      const { watchProgress } = await import("./live");
      if (over) return;
      unwatch = watchProgress(paymentId, {
        onProgress: (status, message) => {
          heardOf(paymentId, status);
          hear({ status, message });
        },
        onRefused: (message) => hear({ status: "ERROR", message }),
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

export function useProgress(paymentId: string): Progress {
  const [progress, setProgress] = useState<Progress>(OPENING);
  useEffect(() => {
    setProgress(OPENING);
    return followPayment(paymentId, setProgress);
  }, [paymentId]);
  return progress;
}
