import type { PublicPlayer } from "@/gen/api/publicPlayer";
import { t } from "@/lib/i18n/i18n";
import { parseUrl } from "@/lib/platform";
import type { ChatType, Message } from "./api";

/** The largest file (specification, section 9). The text that refuses a larger one says 10MB. */
export const FILE_MAX_BYTES = 15_728_640;

/** The pairs of colours of bubbles; own messages have the first. */
export const COLOUR_PAIRS = 7;

const MB = 1024 * 1024;

/** Adds messages to those that are known: each once, in the room's order. */
export function merged(known: readonly Message[], more: readonly Message[]): readonly Message[] {
  if (more.length === 0) return known;
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of more) byId.set(message.id, message);
  return [...byId.values()].sort((one, other) => one.seq - other.seq);
}

export function without(known: readonly Message[], ids: readonly string[]): readonly Message[] {
  const removed = new Set(ids);
  return known.some(({ id }) => removed.has(id)) ? known.filter(({ id }) => !removed.has(id)) : known;
}

/** The fields of a message on its way that the comparison needs. */
interface UnderWay {
  readonly text: string;
  /** The room's newest number when the message was sent. */
  readonly after: number;
  readonly isFailed: boolean;
}

/**
 * The player's messages that the room does not show yet. The live update of a message may come before the reply to it,
 * and the message would be shown twice.
 */
export function notShownYet<T extends UnderWay>(
  outgoing: readonly T[],
  messages: readonly Message[],
  ownId: string,
): readonly T[] {
  return outgoing.filter(
    ({ isFailed, text, after }) =>
      isFailed ||
      !messages.some(({ seq, userId, message }) => seq > after && userId === ownId && message === text),
  );
}

/** The colour pair of a writer: the first for the player, and for another player always the same one of the others. */
export function colourPair(userId: string, isOwn: boolean): number {
  if (isOwn) return 1;
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return (sum % (COLOUR_PAIRS - 1)) + 2;
}

/** The name that a room shows for a writer. */
export function writerName(writer: PublicPlayer | null): string {
  return writer?.username ?? writer?.name ?? t("chat.unknown");
}

const PREVIEWS = {
  IMAGE: "chat.preview.IMAGE",
  VIDEO: "chat.preview.VIDEO",
  AUDIO: "chat.preview.AUDIO",
  DOCUMENT: "chat.preview.DOCUMENT",
} as const;

/** A message in one line, as the list of rooms shows it. Without the writer's name, which may not have loaded, the text alone. */
export function previewOf({ chatType, message }: Message, name: string | null): string {
  // A text file is sent as a text that is the file's address.
  const isFile = chatType === "TEXT" && message.startsWith("/media/chat/");
  const text = isFile ? t(PREVIEWS.DOCUMENT) : chatType === "TEXT" ? message : t(PREVIEWS[chatType]);
  return name === null ? text : t("chat.preview", { name, text });
}

/** The type under which a file is sent, by its MIME type. */
export function chatTypeOf(mime: string): ChatType {
  if (mime.startsWith("image/")) return "IMAGE";
  if (mime.startsWith("video/")) return "VIDEO";
  if (mime.startsWith("audio/")) return "AUDIO";
  if (mime.startsWith("text/")) return "TEXT";
  return "DOCUMENT";
}

/** "12.50 KB" below a megabyte, else "1.25 MB". */
export function fileSize(bytes: number): string {
  return bytes < MB ? `${(bytes / 1024).toFixed(2)} KB` : `${(bytes / MB).toFixed(2)} MB`;
}

const MINUTE_MS = 60_000;
const minuteOf = ({ createdAt }: Message) => Math.floor(Date.parse(createdAt) / MINUTE_MS);

/** Whether a message continues the one before it: the same writer, in the same minute of the clock, which is shown once. */
export function continues(before: Message | undefined, message: Message): boolean {
  return before?.userId === message.userId && minuteOf(before) === minuteOf(message);
}

/** Whether two messages are of one day, in the phone's own time zone. */
export function sameDay(one: Message, other: Message): boolean {
  return new Date(one.createdAt).toDateString() === new Date(other.createdAt).toDateString();
}

/** A part of a text: plain, the address of a page, or a mention with the username in lower case. */
export interface TextPart {
  readonly text: string;
  readonly url?: string;
  readonly mention?: string;
}

const LINK = /https?:\/\/[^\s<>"']+/gu;
/** Characters at the end of an address that belong to the sentence. */
const TRAILING = /[.,;:!?)\]}]+$/u;

/**
 * A mention as svc-chat parses it: at the beginning or after a non-word character, and not the beginning of a longer
 * word or an address.
 */
const MENTION = /(^|[^\p{Alphabetic}\p{N}_/])@([A-Za-z0-9_.]+)(?![\p{Alphabetic}\p{N}_.@])/gu;
const USERNAME = /^[a-z0-9_.]{2,19}[a-z0-9_]$/;

/** Whether `@` and this name are a mention. A public player without a username has the name in the username's place. */
export function isMentionable(name: string): boolean {
  return USERNAME.test(name);
}

function mentionParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { index, 1: before = "", 2: run = "" } of text.matchAll(MENTION)) {
    const name = run.replace(/\.+$/, "");
    if (!isMentionable(name.toLowerCase())) continue;
    const from = index + before.length;
    if (from > at) parts.push({ text: text.slice(at, from) });
    at = from + 1 + name.length;
    parts.push({ text: text.slice(from, at), mention: name.toLowerCase() });
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/**
 * Splits a text into plain parts, addresses and mentions. Only http and https become links, and each shows its whole
 * address.
 */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(LINK)) {
    const url = match[0].replace(TRAILING, "");
    if (!parseUrl(url)) continue;
    parts.push(...mentionParts(text.slice(at, match.index)));
    parts.push({ text: url, url });
    at = match.index + url.length;
  }
  parts.push(...mentionParts(text.slice(at)));
  return parts;
}

/** A file's address, if it is one of the app's own: media of messages come from `/upload` alone. */
export function mediaUrl(address: string): string | null {
  const base = window.location.origin;
  const url = parseUrl(address, base);
  return url?.origin === base && url.pathname.startsWith("/media/") ? url.pathname : null;
}
