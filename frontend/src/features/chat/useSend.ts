import { useEffect, useEffectEvent, useRef, useState } from "react";
import { throwIfAborted } from "@/lib/aborted";
import { Fault } from "@/lib/http/fault";
import { shrinkPhoto } from "@/lib/photo";
import { currentPlayer } from "@/lib/session/session";
import { type ChatType, type Draft, deleteMessage, type Message, sendMessage, uploadMedia } from "./api";
import { chatTypeOf } from "./messages";
import { SENDING_REFUSALS } from "./safety/sending";
import { forgetUnsent, keepUnsent, type UnsentMessage, unsentIn } from "./unsent";

/** Longest side of an uploaded photo, in pixels: the size of the pictures that the server keeps. */
const SIDE = 2048;
/** The types that cameras produce. Other pictures may be drawings, which a JPEG blurs, or animations. */
const PHOTOS: readonly string[] = ["image/jpeg", "image/heic", "image/heif"];

/** A message on its way. */
export interface Outgoing {
  readonly id: string;
  readonly text: string;
  readonly chatType: ChatType;
  /** The file to upload first, until it is there. */
  readonly file: File | null;
  /** The fraction of the file that was sent. */
  readonly progress: number;
  readonly isFailed: boolean;
  /** Why the message was refused, if the player has to know. */
  readonly problem: string | null;
  /** The room's newest number when the message was sent. */
  readonly after: number;
}

interface Callbacks {
  readonly onSent: (message: Message) => void;
  /** The file could not be uploaded: nothing was sent. */
  readonly onUploadFailed: (error: Error) => void;
  /** The player has left the room, on another device perhaps, or may not send now. */
  readonly onRefused: (error: Error) => void;
}

/**
 * The calls on their way, by the message's id. They continue without the screen, and a screen that returns awaits the
 * same call.
 */
const calls = new Map<string, Promise<Message>>();

function call(room: string, id: string, draft: Omit<Draft, "clientMessageId">): Promise<Message> {
  const underWay = calls.get(id);
  if (underWay) return underWay;
  const sent = sendMessage(room, { ...draft, clientMessageId: id })
    .then((message) => {
      forgetUnsent(room, id);
      return message;
    })
    .finally(() => calls.delete(id));
  calls.set(id, sent);
  return sent;
}

const restored = (message: UnsentMessage): Outgoing => ({
  ...message,
  file: null,
  progress: 0,
  isFailed: !calls.has(message.id),
  problem: null,
});

/**
 * Sends the player's messages to a room: each is on the screen at once, and a tap sends a failed one again. Messages
 * that were not sent are there again when the screen returns.
 */
export function useSend(uid: string, newest: number, { onSent, onUploadFailed, onRefused }: Callbacks) {
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>(() => unsentIn(uid).map(restored));
  const uploads = useRef(new Map<string, AbortController>());

  const change = (id: string, by: Partial<Outgoing>) =>
    setOutgoing((all) => all.map((each) => (each.id === id ? { ...each, ...by } : each)));
  const drop = (id: string) => setOutgoing((all) => all.filter((each) => each.id !== id));

  /** The address of the file, or null when it was not uploaded. */
  const uploaded = async ({ id, file }: Outgoing): Promise<string | null> => {
    if (!file) return null;
    const abort = new AbortController();
    uploads.current.set(id, abort);
    try {
      const uid = currentPlayer()?.uid ?? "";
      const media = PHOTOS.includes(file.type) ? await shrinkPhoto(file, SIDE) : file;
      throwIfAborted(abort.signal);
      return await uploadMedia(uid, media, (progress) => change(id, { progress }), abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) onUploadFailed(error as Error);
      drop(id);
      return null;
    } finally {
      uploads.current.delete(id);
    }
  };

  const deliver = async (message: Outgoing): Promise<void> => {
    const { id, file, chatType, after } = message;
    change(id, { isFailed: false, problem: null });
    const text = file ? await uploaded(message) : message.text;
    if (text === null) return;
    // From here on a repeat sends the same file.
    change(id, { text, file: null });
    keepUnsent(uid, { id, text, chatType, after });
    try {
      onSent(await call(uid, id, { message: text, chatType }));
      drop(id);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: the specification asks for this log (section 8)
      console.warn("A message was not sent.", error);
      const isRefused = error instanceof Fault && SENDING_REFUSALS.has(error.code);
      change(id, { isFailed: true, problem: isRefused ? error.message : null });
      onRefused(error as Error);
    }
  };

  const resume = useEffectEvent(() => {
    for (const message of outgoing) if (!message.isFailed) void deliver(message);
  });
  // Await the calls that have outlived the screen that began them.
  useEffect(() => resume(), []);

  const send = (text: string, file: File | null): Promise<void> => {
    const chatType = file ? chatTypeOf(file.type) : "TEXT";
    const id = crypto.randomUUID();
    const message: Outgoing = {
      id,
      text,
      chatType,
      file,
      progress: 0,
      isFailed: false,
      problem: null,
      after: newest,
    };
    setOutgoing((all) => [...all, message]);
    return deliver(message);
  };

  return {
    outgoing,
    send,
    retry: (message: Outgoing) => void deliver(message),
    discard: (id: string) => {
      forgetUnsent(uid, id);
      drop(id);
    },
    cancel: (id: string) => uploads.current.get(id)?.abort(),
    remove: deleteMessage,
  };
}
