import * as z from "zod/mini";
import { BlockedPlayer as blockedPlayer } from "@/gen/api/blockedPlayer";
import type { MarkRoomRead } from "@/gen/api/markRoomRead";
import { Message as wireMessage } from "@/gen/api/message";
import { MessagePage as wirePage } from "@/gen/api/messagePage";
import { Room as room } from "@/gen/api/room";
import { SendingRules as sendingRules } from "@/gen/api/sendingRules";
import type { SendMessage } from "@/gen/api/sendMessage";
import { Uploaded as uploaded } from "@/gen/api/uploaded";
import { asPlayer } from "@/lib/http/client";
import { type OnProgress, upload } from "@/lib/http/upload";
import { parsePayload } from "@/lib/http/wire";

export type Room = z.infer<typeof room>;
export const roomList = z.array(room);

export type Message = z.infer<typeof wireMessage>;
export type MessagePage = z.infer<typeof wirePage>;
export type ChatType = Message["chatType"];

export type BlockedPlayer = z.infer<typeof blockedPlayer>;
export type SendingRules = z.infer<typeof sendingRules>;

/** Why a player reports a message, in the order of the sheet. */
export const REPORT_REASONS = ["ABUSE", "HATE", "SEXUAL", "SCAM", "SPAM", "OTHER"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** The longest note of a report, in characters. */
export const NOTE_MAX = 500;

/** Messages per page (specification, section 9). */
export const PAGE_SIZE = 50;

/** The codes of refusals that mean that the wish is fulfilled already. */
export const ALREADY_SUBSCRIBED = "ALREADY_SUBSCRIBED";
export const NOT_A_MEMBER = "NOT_A_MEMBER";

const one = encodeURIComponent;

export async function fetchRooms(): Promise<Room[]> {
  return parsePayload(roomList, await asPlayer("/chat-rooms/list"));
}

export async function joinRoom(uid: string): Promise<void> {
  await asPlayer(`/profile/chatroom-join/${one(uid)}`);
}

export async function leaveRoom(uid: string): Promise<void> {
  await asPlayer(`/profile/chatroom-leave/${one(uid)}`);
}

/** A page of a room's messages, from 0, the oldest. */
export async function fetchMessages(uid: string, page: number): Promise<MessagePage> {
  const path = `/chats/list?page=${page}&pageSize=${PAGE_SIZE}`;
  return parsePayload(wirePage, await asPlayer(path, { method: "POST", body: { chatRoomId: uid } }));
}

/** Records the number of the newest message that the player has read. */
export async function markRoomRead(uid: string, seq: number): Promise<void> {
  await asPlayer("/chats/read", { method: "POST", body: { chatRoomId: uid, seq } satisfies MarkRoomRead });
}

/** A message to send. A repeat under the same `clientMessageId` is stored once. */
export type Draft = Required<Pick<SendMessage, "message" | "clientMessageId">> & {
  readonly chatType: ChatType;
};

export async function sendMessage(uid: string, draft: Draft): Promise<Message> {
  const body: SendMessage = { chatRoomId: uid, ...draft };
  return parsePayload(wireMessage, await asPlayer("/chats/send", { method: "POST", body }));
}

export async function deleteMessage(id: string): Promise<void> {
  await asPlayer(`/chats/${one(id)}`, { method: "DELETE" });
}

/** Uploads a file for a message, and returns its URL. */
export async function uploadMedia(
  playerId: string,
  file: File,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  // The fields precede the file, so that the server can check them before it reads the file.
  form.append("id", playerId);
  form.append("type", "CHAT_MEDIA");
  form.append("file", file);
  return parsePayload(uploaded, await upload("/upload", form, onProgress, signal)).url;
}

export async function reportMessage(id: string, reason: ReportReason, note: string): Promise<void> {
  await asPlayer(`/chats/${one(id)}/report`, { method: "POST", body: { reason, note } });
}

export async function blockPlayer(userId: string): Promise<void> {
  await asPlayer("/profile/blocked-players", { method: "POST", body: { userId } });
}

export async function unblockPlayer(userId: string): Promise<void> {
  await asPlayer(`/profile/blocked-players/${one(userId)}`, { method: "DELETE" });
}

/** The players whose messages are hidden, the newest first. */
export async function fetchBlocked(): Promise<BlockedPlayer[]> {
  return parsePayload(z.array(blockedPlayer), await asPlayer("/profile/blocked-players"));
}

/** Fetches the rules that keep the player from sending in a room now. */
export async function fetchSendingRules(uid: string): Promise<SendingRules> {
  return parsePayload(sendingRules, await asPlayer(`/chat-rooms/${one(uid)}/sending`));
}
