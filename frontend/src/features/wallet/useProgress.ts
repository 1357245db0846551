import { useEffect, useState } from "react";
import { PaymentStatus as Wire } from "@/gen/playon/types/v1/payment_pb";
import { t } from "@/lib/i18n/i18n";
import { watchPayment } from "@/lib/live/payments";
import { fetchPayment, heardOf, isFinal, type PaymentStatus } from "./api";

/** How long the screen waits for a final status before it asks once more and gives up. */
export const PATIENCE_MS = 120_000;

export interface Progress {
  readonly status: PaymentStatus;
  /** The server's words on the present status; empty when it has none. */
  readonly message: string;
}

const OPENING: Progress = { status: "IN_PROGRESS", message: "" };

const statuses: Readonly<Record<Wire, PaymentStatus | null>> = {
  [Wire.UNSPECIFIED]: null,
  [Wire.PENDING]: "PENDING",
  [Wire.IN_PROGRESS]: "IN_PROGRESS",
  [Wire.COMPLETED]: "COMPLETED",
  [Wire.ERROR]: "ERROR",
};

/**
 * Follows one payment to its end: by the live stream, by plain calls whenever the stream is lost, and after
 * two minutes by one last question. Returns the way to stop.
 */
export function followPayment(paymentId: string, tell: (progress: Progress) => void): () => void {
  let over = false;
  let unwatch: () => void = () => {};

  const stop = () => {
    over = true;
    clearTimeout(patience);
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

  unwatch = watchPayment(paymentId, {
    onUpdate: ({ status, message }) => {
      const known = statuses[status];
      if (!known) return;
      heardOf(paymentId, known);
      hear({ status: known, message });
    },
    onRefused: (message) => hear({ status: "ERROR", message }),
    // What cannot be asked now is asked again when the next attempt is lost, or when patience ends.
    onLost: () => void ask().catch(() => {}),
  });
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
