import type { PaymentUpdate } from "@/gen/playon/live/v1/live_pb";
import type { TopicWatch } from "@/lib/live/hub";
import { live, paymentTopic } from "@/lib/live/topics";

export type PaymentWatch = TopicWatch<PaymentUpdate>;

/** Subscribes to a payment's status: the current one, then each change until it is final. Returns the unsubscribe function. */
export function watchPayment(paymentId: string, watch: PaymentWatch): () => void {
  return live.subscribe(paymentTopic(paymentId), {
    ...watch,
    onUpdate: (update) => {
      if (update.$typeName === "playon.live.v1.PaymentUpdate") watch.onUpdate(update);
    },
  });
}
