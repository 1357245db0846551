import * as z from "zod/mini";
import { ChatType } from "@/gen/api/chatType";
import { currentSession } from "@/lib/session/session";
import { tabStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

const unsentMessage = z.object({
  /** The message's `clientMessageId`: a repeat under the same one is stored once. */
  id: z.string(),
  /** The text, or the URL of the file that was uploaded. */
  text: z.string(),
  chatType: ChatType,
  /** The room's newest number when the message was sent. */
  after: z.number(),
});

/** A message that the server has not confirmed. */
export type UnsentMessage = Readonly<z.infer<typeof unsentMessage>>;

const stored = z.object({
  /** The player who wrote the message. */
  uid: z.string(),
  draft: z.string(),
  unsent: z.array(unsentMessage),
});
type Stored = z.infer<typeof stored>;

/** At most this many messages of a room are stored. The oldest ones are dropped. */
export const MAX_UNSENT = 20;

const keyOf = (room: string) => `chat:${room}`;

function read(room: string): Stored {
  const uid = currentSession()?.uid ?? "";
  const found = readStored(tabStorage, keyOf(room), stored);
  return found?.uid === uid ? found : { uid, draft: "", unsent: [] };
}

function write(room: string, next: Stored): void {
  // An upload may end after the logout.
  if (next.uid === "") return;
  if (next.draft === "" && next.unsent.length === 0) tabStorage.removeItem(keyOf(room));
  else tabStorage.setItem(keyOf(room), JSON.stringify(next));
}

/**
 * The player's messages in a room that the server has not confirmed, in the tab's storage: the offline screen replaces
 * the room, and the way back reloads the page. A logout empties the storage.
 */
export const unsentIn = (room: string): readonly UnsentMessage[] => read(room).unsent;

export function keepUnsent(room: string, message: UnsentMessage): void {
  const known = read(room);
  const others = known.unsent.filter(({ id }) => id !== message.id);
  write(room, { ...known, unsent: [...others, message].slice(-MAX_UNSENT) });
}

export function forgetUnsent(room: string, id: string): void {
  const known = read(room);
  write(room, { ...known, unsent: known.unsent.filter((message) => message.id !== id) });
}

/** The text that the player has begun in a room. */
export const draftIn = (room: string): string => read(room).draft;

export function keepDraft(room: string, draft: string): void {
  const known = read(room);
  if (known.draft !== draft) write(room, { ...known, draft });
}
