import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type LiveEvent,
  LiveService,
  type PaymentUpdate,
  type SubscribeRequestSchema,
} from "@/gen/playon/live/v1/live_pb";
import { createHub, type Meaning, type Topic } from "@/lib/live/hub";
import { serverStream } from "@/lib/live/transport";
import { freshToken, replaceToken } from "@/lib/session/access";

/** What the stream can carry. Another kind is a member here, a field of the request and a case of `meaningOf`. */
export interface PaymentTopic extends Topic {
  readonly kind: "payment";
  readonly paymentId: string;
}
type LiveTopic = PaymentTopic;
type LiveUpdate = PaymentUpdate;

/** The contract's limit for one stream. */
const MAX_PAYMENTS = 20;

const paymentKey = (paymentId: string) => `payment/${paymentId}`;

export function paymentTopic(paymentId: string): PaymentTopic {
  return { kind: "payment", id: paymentKey(paymentId), paymentId };
}

function requestOf(topics: readonly LiveTopic[]): MessageInitShape<typeof SubscribeRequestSchema> {
  return { paymentIds: topics.map(({ paymentId }) => paymentId) };
}

function meaningOf({ event }: LiveEvent): Meaning<LiveUpdate> {
  switch (event.case) {
    case "hello":
    case "resumed":
      return { kind: "live" };
    case "paused":
      return { kind: "paused" };
    case "payment":
      return { kind: "update", topicId: paymentKey(event.value.paymentId), update: event.value };
    default:
      return { kind: "other" };
  }
}

/** The live stream of this tab. */
export const live = createHub<LiveTopic, LiveEvent, LiveUpdate>({
  open: (topics, token, on) =>
    serverStream(LiveService.method.subscribe, requestOf(topics.map(({ topic }) => topic)), token, on),
  token: freshToken,
  renew: replaceToken,
  meaningOf,
  isState: ({ kind }) => kind === "payment",
  fitting: (topics) => topics.slice(0, MAX_PAYMENTS),
});
