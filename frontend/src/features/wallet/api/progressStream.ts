import { timestampDate } from "@bufbuild/protobuf/wkt";
import { PaymentStatus as Wire } from "@/gen/playon/types/v1/payment_pb";
import { watchPayment } from "@/lib/live/payments";
import type { PaymentStatus } from "./requests";

export interface ProgressWatch {
  readonly onProgress: (status: PaymentStatus, message: string, heldUntil?: string) => void;
  readonly onRefused: (message: string) => void;
  readonly onLost: () => void;
  readonly onLive: (isLive: boolean) => void;
}

const statuses: Readonly<Record<Wire, PaymentStatus | null>> = {
  [Wire.UNSPECIFIED]: null,
  [Wire.PENDING]: "PENDING",
  [Wire.IN_PROGRESS]: "IN_PROGRESS",
  [Wire.COMPLETED]: "COMPLETED",
  [Wire.ERROR]: "ERROR",
};

/** Watches a payment's live stream. It is a separate module, because it loads grpc-web. */
export function watchProgress(paymentId: string, watch: ProgressWatch): () => void {
  return watchPayment(paymentId, {
    onUpdate: ({ status, message, heldUntil }) => {
      const known = statuses[status];
      if (known) watch.onProgress(known, message, heldUntil && timestampDate(heldUntil).toISOString());
    },
    onRefused: watch.onRefused,
    onLost: watch.onLost,
    onLive: watch.onLive,
  });
}
