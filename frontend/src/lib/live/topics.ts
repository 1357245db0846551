import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ChatMessage,
  type LiveEvent,
  LiveService,
  type MessageRemoved,
  type NotificationsUpdate,
  type PaymentUpdate,
  type RoomPresence,
  type StandingUpdate,
  type SubscribeRequestSchema,
  TopicKind,
} from "@/gen/playon/live/v1/live_pb";
import { createHub, type Meaning, type Topic } from "@/lib/live/hub";
import { serverStream } from "@/lib/live/transport";
import { freshToken, replaceToken } from "@/lib/session/access";

/**
 * The topics that the stream can carry. A new kind needs a member here, a field of the request and a case of
 * `meaningOf`.
 */
export interface PaymentTopic extends Topic {
  readonly kind: "payment";
  readonly paymentId: string;
}
export interface NotificationsTopic extends Topic {
  readonly kind: "notifications";
}
export interface TournamentTopic extends Topic {
  readonly kind: "tournament";
  readonly tournamentId: string;
}
export interface RoomTopic extends Topic {
  readonly kind: "room";
  readonly roomUid: string;
  /** The number of the newest message on the screen: the messages after it are sent first. */
  readonly after: bigint;
}
type LiveTopic = PaymentTopic | NotificationsTopic | TournamentTopic | RoomTopic;
export type RoomUpdate = ChatMessage | MessageRemoved | RoomPresence;
type LiveUpdate = PaymentUpdate | NotificationsUpdate | StandingUpdate | RoomUpdate;

/** The contract's limits for one stream. */
const MAX_PAYMENTS = 20;
const MAX_TOURNAMENTS = 5;
const MAX_ROOMS = 20;

// The names by which the gateway refuses topics.
const PAYMENT = "payment/";
const TOURNAMENT = "tournament/";
const ROOM = "room/";
export const notificationsTopic: NotificationsTopic = { kind: "notifications", id: "notifications" };

export function paymentTopic(paymentId: string): PaymentTopic {
  return { kind: "payment", id: PAYMENT + paymentId, paymentId };
}

export function tournamentTopic(tournamentId: string): TournamentTopic {
  return { kind: "tournament", id: TOURNAMENT + tournamentId, tournamentId };
}

export function roomTopic(roomUid: string, after: bigint): RoomTopic {
  return { kind: "room", id: ROOM + roomUid, roomUid, after };
}

const isRoom = (topic: LiveTopic): topic is RoomTopic => topic.kind === "room";
const isPayment = (topic: LiveTopic): topic is PaymentTopic => topic.kind === "payment";
const isTournament = (topic: LiveTopic): topic is TournamentTopic => topic.kind === "tournament";

interface Wanted {
  readonly topic: LiveTopic;
  /** The cursor of the last received event. */
  readonly cursor: bigint | undefined;
}

function requestOf(wanted: readonly Wanted[]): MessageInitShape<typeof SubscribeRequestSchema> {
  const topics = wanted.map(({ topic }) => topic);
  return {
    rooms: wanted.flatMap(({ topic, cursor }) =>
      isRoom(topic) ? [{ chatRoomUid: topic.roomUid, afterSeq: cursor ?? topic.after }] : [],
    ),
    paymentIds: topics.filter(isPayment).map(({ paymentId }) => paymentId),
    notifications: topics.includes(notificationsTopic),
    tournamentIds: topics.filter(isTournament).map(({ tournamentId }) => tournamentId),
  };
}

/** Covers the topics of a kind; all topics without one. */
function ofKind(kind: TopicKind): { readonly covers?: (id: string) => boolean } {
  switch (kind) {
    case TopicKind.PAYMENTS:
      return { covers: (id) => id.startsWith(PAYMENT) };
    case TopicKind.TOURNAMENTS:
      return { covers: (id) => id.startsWith(TOURNAMENT) };
    case TopicKind.ROOMS:
      return { covers: (id) => id.startsWith(ROOM) };
    case TopicKind.NOTIFICATIONS:
      return { covers: (id) => id === notificationsTopic.id };
    default:
      return {};
  }
}

function meaningOf({ event }: LiveEvent): Meaning<LiveUpdate> {
  switch (event.case) {
    case "hello":
      return { kind: "live" };
    case "resumed":
      return { kind: "live", ...ofKind(event.value.topics) };
    case "paused":
      return { kind: "paused", ...ofKind(event.value.topics) };
    case "payment":
      return { kind: "update", topicId: PAYMENT + event.value.paymentId, update: event.value };
    case "notifications":
      return { kind: "update", topicId: notificationsTopic.id, update: event.value };
    case "standing":
      return { kind: "update", topicId: TOURNAMENT + event.value.tournamentId, update: event.value };
    case "message":
    case "messageRemoved":
    case "presence": {
      const { value } = event;
      return { kind: "update", topicId: ROOM + value.chatRoomUid, update: value, cursor: value.seq };
    }
    default:
      return { kind: "other" };
  }
}

/** The live stream of this tab. */
export const live = createHub<LiveTopic, LiveEvent, LiveUpdate>({
  open: (topics, token, on) => serverStream(LiveService.method.subscribe, requestOf(topics), token, on),
  token: freshToken,
  renew: replaceToken,
  meaningOf,
  isState: (topic) => !isRoom(topic),
  fitting: (topics) => [
    ...topics.filter(isPayment).slice(0, MAX_PAYMENTS),
    ...topics.filter(isTournament).slice(0, MAX_TOURNAMENTS),
    ...topics.filter(isRoom).slice(0, MAX_ROOMS),
    ...topics.filter(({ kind }) => kind === "notifications"),
  ],
});
