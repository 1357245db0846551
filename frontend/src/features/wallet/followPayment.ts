import {
  applyPaymentStatus,
  fetchPayment,
  isFinal,
  type Payment,
  type PaymentStatus,
} from "@/features/wallet/api/requests";
import { typeOf } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import { ageOf, pendingPaymentOf } from "./pendingStore";

/** Timeout of a payment, from its creation: afterwards it is polled once more and given up. */
export const PAYMENT_TIMEOUT_MS = 120_000;
/** Delay before the stream's code is loaded again after a failure. */
export const STREAM_RETRY_MS = 5_000;

export interface Progress {
  readonly status: PaymentStatus;
  /** The server's message about the status; empty when it has none. */
  readonly message: string;
  /** By when operators decide on a withdrawal that they look at first. */
  readonly heldUntil?: string | undefined;
  /** Whether the payment may still complete although the waiting has timed out. */
  readonly open?: boolean;
}

/**
 * The text when the waiting ends before the payment. Only the tab that started the payment has it stored; another tab
 * uses the reply.
 */
function timeoutText(paymentId: string, reply: Payment | null): string {
  const known = pendingPaymentOf(paymentId);
  const type = known?.type ?? (reply ? typeOf(reply) : null);
  if (type === "WITHDRAWAL") return t("waiting.timeoutOut");
  const method = known?.paymentMethod ?? (reply?.txGwSessionUrl ? "CARD" : "MPESA");
  return t(method === "MPESA" ? "waiting.timeout" : "waiting.timeoutOther");
}

/** Returns a function for the payment's age in ms. The age comes from the payment id, so a reload does not reset it. */
export function ageFromNow(paymentId: string): () => number {
  const seen = Date.now();
  return () => ageOf(paymentId) ?? Date.now() - seen;
}

/**
 * Follows one payment until it is final: by the live stream, by plain calls whenever the stream is lost, and by one
 * last poll after two minutes. The stream's code is loaded after the screen, which must say at once what to do on the
 * phone. Returns the function that stops it.
 */
export function followPayment(
  paymentId: string,
  onProgress: (progress: Progress) => void,
  onLive: (isLive: boolean) => void = () => {},
): () => void {
  const age = ageFromNow(paymentId);
  let over = false;
  let unwatch: () => void = () => {};
  let timeout: ReturnType<typeof setTimeout> | undefined;
  let streamRetry: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    over = true;
    clearTimeout(timeout);
    clearTimeout(streamRetry);
    unwatch();
  };
  const report = (progress: Progress) => {
    if (over) return;
    if (isFinal(progress.status)) stop();
    // Operators take hours.
    else if (progress.heldUntil) clearTimeout(timeout);
    onProgress(progress);
  };
  const poll = async (): Promise<Payment> => {
    const reply = await fetchPayment(paymentId);
    const { status, message, heldUntil } = reply;
    report({ status, message: message ?? "", heldUntil: heldUntil ?? undefined });
    return reply;
  };
  const startTimeout = () => {
    timeout = setTimeout(() => void finalPoll(), Math.max(0, PAYMENT_TIMEOUT_MS - age()));
  };
  const finalPoll = async (): Promise<void> => {
    const reply = await poll().catch(() => null);
    if (over || reply?.heldUntil) return;
    // The reply may have corrected the server clock's offset, and with it the time that is left.
    if (age() < PAYMENT_TIMEOUT_MS) startTimeout();
    else report({ status: "ERROR", message: timeoutText(paymentId, reply), open: true });
  };
  startTimeout();

  // A failed poll is repeated when the next stream attempt is lost, or at the timeout.
  const pollQuietly = () => void poll().catch(() => {});
  const watch = async (): Promise<void> => {
    try {
      const { watchProgress } = await import("@/features/wallet/api/progressStream");
      if (over) return;
      unwatch = watchProgress(paymentId, {
        onProgress: (status, message, heldUntil) => {
          applyPaymentStatus({ paymentId, status, message });
          report({ status, message, heldUntil });
        },
        onRefused: (message) => report({ status: "ERROR", message, open: true }),
        onLost: pollQuietly,
        onLive: (isLive) => {
          if (!over) onLive(isLive);
        },
      });
    } catch {
      if (over) return;
      onLive(false);
      pollQuietly();
      streamRetry = setTimeout(() => void watch(), STREAM_RETRY_MS);
    }
  };
  void watch();
  return stop;
}
