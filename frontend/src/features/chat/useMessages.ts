import { useCallback, useEffect, useReducer, useRef } from "react";
import { announce, onChange } from "@/lib/changes";
import type { RoomUpdate } from "@/lib/live/rooms";
import { fetchMessages, type Message, type MessagePage, PAGE_SIZE } from "./api";
import { merged, without } from "./messages";

/** A page with fewer messages is filled up with the page before it. */
const FEW = 20;
/** How often the room is read while there is no live stream. */
const POLL_MS = 10_000;
/** Live updates are applied together after this time: each application sorts all messages. */
const BATCH_MS = 16;

interface Presence {
  readonly members: number;
  readonly online: number;
}

interface State {
  /** Null until the newest page has loaded. */
  readonly messages: readonly Message[] | null;
  /** The index of the oldest page that is loaded; null before the first one. */
  readonly page: number | null;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly presence: Presence | null;
  readonly isRefused: boolean;
  /** The number up to which the newest page has all messages of the room. */
  readonly after: number;
}

type Action =
  | { readonly type: "reset" }
  | { readonly type: "loading" }
  | ({ readonly type: "newest" } & Newest)
  | { readonly type: "older"; readonly page: number; readonly messages: readonly Message[] }
  | { readonly type: "failed"; readonly error: Error }
  | { readonly type: "arrived"; readonly messages: readonly Message[] }
  | { readonly type: "removed"; readonly ids: readonly string[] }
  | { readonly type: "presence"; readonly presence: Presence }
  | { readonly type: "refused" };

const EMPTY: State = {
  messages: null,
  page: null,
  isLoading: false,
  error: null,
  presence: null,
  isRefused: false,
  after: 0,
};

function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "reset":
      return EMPTY;
    case "loading":
      return { ...state, isLoading: true };
    case "newest": {
      const { page, messages, after } = action;
      // Only messages that came while the page was being loaded stay.
      const newer = state.messages?.filter(({ seq }) => seq > after) ?? [];
      return { ...state, isLoading: false, error: null, page, after, messages: merged(messages, newer) };
    }
    case "older": {
      const { page, messages } = action;
      return {
        ...state,
        isLoading: false,
        error: null,
        page,
        messages: merged(state.messages ?? [], messages),
      };
    }
    case "failed":
      return { ...state, isLoading: false, error: action.error };
    case "arrived":
      return { ...state, messages: merged(state.messages ?? [], action.messages) };
    case "removed":
      return { ...state, messages: state.messages && without(state.messages, action.ids) };
    case "presence":
      return { ...state, presence: action.presence };
    case "refused":
      return { ...state, isRefused: true };
  }
}

function messageOf(update: Extract<RoomUpdate, { $typeName: "playon.live.v1.ChatMessage" }>): Message {
  const { id, userId, chatRoomId, message, chatType, seq } = update;
  const createdAt = update.createdAt ? new Date(Number(update.createdAt.seconds) * 1000) : new Date();
  return {
    id,
    userId,
    chatRoomId,
    message,
    chatType: CHAT_TYPES[chatType] ?? "TEXT",
    createdAt: createdAt.toISOString(),
    updatedAt: createdAt.toISOString(),
    seq: Number(seq),
  };
}

/** Groups live updates into actions of the reducer: one action of a kind. */
function actionsOf(updates: readonly RoomUpdate[]): readonly Action[] {
  const messages: Message[] = [];
  const ids: string[] = [];
  let presence: Presence | null = null;
  for (const update of updates) {
    if (update.$typeName === "playon.live.v1.ChatMessage") messages.push(messageOf(update));
    else if (update.$typeName === "playon.live.v1.MessageRemoved") ids.push(update.id);
    else presence = { members: update.memberCount, online: update.onlineMemberCount };
  }
  return [
    { type: "arrived", messages },
    { type: "removed", ids },
    ...(presence ? [{ type: "presence", presence } as const] : []),
  ];
}

/** The types by their numbers in the contract (types/v1/chat.proto). */
const CHAT_TYPES: readonly (Message["chatType"] | undefined)[] = [
  undefined,
  "TEXT",
  "IMAGE",
  "VIDEO",
  "AUDIO",
  "DOCUMENT",
];

interface Newest {
  readonly page: number;
  readonly messages: readonly Message[];
  /** The newest number that the page covers: the live stream starts after it. */
  readonly after: number;
}

/**
 * The newest number that a page covers, which is the room's newest one if the page is the last. The page's own messages
 * do not tell: those of blocked players are left out, perhaps all of them.
 */
const coveredBy = ({ totalElements }: MessagePage, page: number) =>
  Math.min(totalElements, (page + 1) * PAGE_SIZE);

/**
 * The newest page of a room. Page 0 says how many there are, and is shown if it is the only one. A short page comes with
 * the one before it, so that the screen is full.
 */
async function newest(uid: string): Promise<Newest> {
  const first = await fetchMessages(uid, 0);
  const last = Math.max(first.totalPages - 1, 0);
  if (last === 0) return { page: 0, messages: first.content, after: coveredBy(first, 0) };
  const fetchBefore = async () => (last === 1 ? first : fetchMessages(uid, last - 1));
  // Both pages are fetched side by side where the room's count already says that the last one is short.
  const isShort = first.totalElements - last * PAGE_SIZE < FEW;
  const [page, known] = await Promise.all([fetchMessages(uid, last), isShort ? fetchBefore() : null]);
  const after = coveredBy(page, last);
  if (page.content.length >= FEW) return { page: last, messages: page.content, after };
  const before = known ?? (await fetchBefore());
  return { page: last - 1, messages: merged(before.content, page.content), after };
}

export interface RoomMessages extends State {
  /** The number of the newest message that is loaded; 0 before. It may be one that the player does not see. */
  readonly newest: number;
  /** Loads the newest page in place of all messages. */
  readonly reload: () => void;
  readonly loadOlder: () => void;
  /** Adds a message that was sent. */
  readonly add: (message: Message) => void;
  readonly remove: (id: string) => void;
}

/** The messages of a room: the newest page, older ones on demand, and new ones as they come. Without a room, none. */
export function useMessages(uid: string | null): RoomMessages {
  const [state, dispatch] = useReducer(reduce, EMPTY);
  const { page, isLoading, isRefused } = state;
  /** The pages that are loaded or on their way. Each reload has a set of its own, and ends the loads before it. */
  const pages = useRef(new Set<number>());
  const after = useRef(0n);

  const reload = useCallback(() => {
    if (uid === null) return;
    const own = new Set<number>();
    pages.current = own;
    dispatch({ type: "loading" });
    newest(uid).then(
      (result) => {
        if (pages.current !== own) return;
        own.add(result.page);
        after.current = BigInt(result.after);
        dispatch({ type: "newest", ...result });
      },
      (error: Error) => pages.current === own && dispatch({ type: "failed", error }),
    );
  }, [uid]);
  useEffect(() => {
    dispatch({ type: "reset" });
    reload();
    return () => {
      pages.current = new Set();
    };
  }, [reload]);

  // The player has joined again after the stream was refused.
  useEffect(() => {
    if (!isRefused) return;
    return onChange((change) => {
      if (change !== "room/joined") return;
      dispatch({ type: "reset" });
      reload();
    });
  }, [isRefused, reload]);

  const loadOlder = useCallback(() => {
    if (uid === null || !page || isLoading) return;
    const own = pages.current;
    const older = page - 1;
    if (own.has(older)) return;
    own.add(older);
    dispatch({ type: "loading" });
    fetchMessages(uid, older).then(
      ({ content }) => pages.current === own && dispatch({ type: "older", page: older, messages: content }),
      (error: Error) => {
        own.delete(older);
        if (pages.current === own) dispatch({ type: "failed", error });
      },
    );
  }, [page, isLoading, uid]);

  const isReady = state.messages !== null;
  useEffect(() => {
    if (!isReady || isRefused || uid === null) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    let poll: ReturnType<typeof setInterval> | undefined;
    let flush: ReturnType<typeof setTimeout> | undefined;
    let batch: RoomUpdate[] = [];
    const setLive = (isLive: boolean) => {
      clearInterval(poll);
      if (isLive || isOver) return;
      poll = setInterval(() => {
        newest(uid).then(
          ({ messages }) => !isOver && dispatch({ type: "arrived", messages }),
          () => {},
        );
      }, POLL_MS);
    };
    const receive = (update: RoomUpdate) => {
      batch.push(update);
      flush ??= setTimeout(() => {
        flush = undefined;
        for (const action of actionsOf(batch)) dispatch(action);
        batch = [];
      }, BATCH_MS);
    };
    const end = () => {
      isOver = true;
      clearInterval(poll);
      clearTimeout(flush);
    };
    const follow = async () => {
      const { watchRoom } = await import("@/lib/live/rooms");
      if (isOver) return;
      stop = watchRoom(uid, after.current, {
        onUpdate: receive,
        onRefused: () => {
          end();
          dispatch({ type: "refused" });
          // The player was removed, or has left on another device.
          announce("room/left");
        },
        onLost: () => setLive(false),
        onLive: setLive,
      });
    };
    follow().catch(() => setLive(false));
    return () => {
      end();
      stop?.();
    };
  }, [uid, isReady, isRefused]);

  return {
    ...state,
    newest: Math.max(state.after, state.messages?.at(-1)?.seq ?? 0),
    reload,
    loadOlder,
    add: useCallback((message: Message) => dispatch({ type: "arrived", messages: [message] }), []),
    remove: useCallback((id: string) => dispatch({ type: "removed", ids: [id] }), []),
  };
}
