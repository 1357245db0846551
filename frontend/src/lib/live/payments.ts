import { type LiveEvent, LiveService, type PaymentUpdate } from "@/gen/playon/live/v1/live_pb";
import { keepStreamOpen } from "@/lib/live/keepStreamOpen";
import { serverStream } from "@/lib/live/transport";
import { freshToken, replaceToken } from "@/lib/session/access";

export interface PaymentWatch {
  readonly onUpdate: (update: PaymentUpdate) => void;
  readonly onRefused: (message: string) => void;
  /** The connection was lost: the caller should poll with a plain call. */
  readonly onLost: () => void;
  /** Whether updates arrive: not while the connection, or the wallet behind the gateway, is lost. */
  readonly onLive: (isLive: boolean) => void;
}

/** Subscribes to a payment's status: the current one, then each change until it is final. Returns the unsubscribe function. */
export function watchPayment(paymentId: string, watch: PaymentWatch): () => void {
  return keepStreamOpen<LiveEvent>({
    open: (token, on) => serverStream(LiveService.method.subscribe, { paymentIds: [paymentId] }, token, on),
    token: freshToken,
    renew: replaceToken,
    onEvent: ({ event }) => {
      switch (event.case) {
        case "hello":
        case "resumed":
          watch.onLive(true);
          break;
        case "paused":
          watch.onLive(false);
          watch.onLost();
          break;
        case "payment":
          if (event.value.paymentId === paymentId) watch.onUpdate(event.value);
      }
    },
    onDone: watch.onLost,
    onRefused: watch.onRefused,
    onLost: () => {
      watch.onLive(false);
      watch.onLost();
    },
  });
}
