import { type Message, type MessagePage, PAGE_SIZE } from "@/features/chat/api";

/** A message for tests. */
export function aMessage(seq: number, overrides: Partial<Message> = {}): Message {
  return {
    id: `m${seq}`,
    userId: "u1",
    chatRoomId: "r1",
    message: `text ${seq}`,
    chatType: "TEXT",
    createdAt: "2026-11-22T10:00:00.000Z",
    updatedAt: "2026-11-22T10:00:00.000Z",
    seq,
    ...overrides,
  };
}

/** The live update of a message in the room `lobby`. */
export function liveMessage(seq: number, id = `m${seq}`) {
  const { userId, chatRoomId, message } = aMessage(seq);
  const $typeName = "playon.live.v1.ChatMessage" as const;
  return { $typeName, id, userId, chatRoomId, chatRoomUid: "lobby", message, chatType: 1, seq: BigInt(seq) };
}

/** The messages with these numbers, both included. */
export function messagesBetween(first: number, last: number): Message[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => aMessage(first + place));
}

/** A page of a room whose newest message has the number `newest`. */
export function pageOf(page: number, content: readonly Message[], newest: number): MessagePage {
  const totalPages = Math.ceil(newest / PAGE_SIZE);
  return {
    content: [...content],
    empty: content.length === 0,
    first: page === 0,
    last: page >= totalPages - 1,
    pageable: { pageNumber: page },
    totalPages,
    totalElements: newest,
  };
}
