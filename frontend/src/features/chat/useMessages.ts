import { useCallback, useEffect, useReducer, useRef } from "react";
import type { RoomUpdate } from "@/lib/live/rooms";
import type { Message } from "./api";
import { fetchMessages } from "./api";
import { merged, without } from "./messages";

/** A page this short is filled up by the one before it. */
const FEW = 20;
/** How often the room is read while there is no live stream. */
const POLL_MS = 10_000;

interface Presence {
  readonly members: number;
  readonly online: number;
}

interface State {
  /** Null until the newest page is here. */
  readonly messages: readonly Message[] | null;
  /** The index of the oldest page that is loaded; null before the first one. */
  readonly page: number | null;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly presence: Presence | null;
  readonly isRefused: boolean;
}

type Action =
  | { readonly type: "loading" }
  | { readonly type: "page"; readonly page: number; readonly messages: readonly Message[] }
  | { readonly type: "failed"; readonly error: Error }
  | { readonly type: "arrived"; readonly messages: readonly Message[] }
  | { readonly type: "removed"; readonly id: string }
  | { readonly type: "presence"; readonly presence: Presence }
  | { readonly type: "refused" };

const EMPTY: State = {
  messages: null,
  page: null,
  isLoading: false,
  error: null,
  presence: null,
  isRefused: false,
};

function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "loading":
      return { ...state, isLoading: true };
    case "page":
      return {
        ...state,
        isLoading: false,
        error: null,
        page: Math.min(action.page, state.page ?? action.page),
        messages: merged(state.messages ?? [], action.messages),
      };
    case "failed":
      return { ...state, isLoading: false, error: action.error };
    case "arrived":
      return { ...state, messages: merged(state.messages ?? [], action.messages) };
    case "removed":
      return { ...state, messages: state.messages && without(state.messages, action.id) };
    case "presence":
      return { ...state, presence: action.presence };
    case "refused":
      return { ...state, isRefused: true };
  }
}

/** A live update as the reducer takes it. */
function actionOf(update: RoomUpdate): Action {
  switch (update.$typeName) {
    case "playon.live.v1.ChatMessage": {
      const createdAt = update.createdAt ? new Date(Number(update.createdAt.seconds) * 1000) : new Date();
      const message: Message = {
        id: update.id,
        userId: update.userId,
        chatRoomId: update.chatRoomId,
        message: update.message,
        chatType: CHAT_TYPES[update.chatType] ?? "TEXT",
        createdAt: createdAt.toISOString(),
        updatedAt: createdAt.toISOString(),
        seq: Number(update.seq),
      };
      return { type: "arrived", messages: [message] };
    }
    case "playon.live.v1.MessageRemoved":
      return { type: "removed", id: update.id };
    case "playon.live.v1.RoomPresence":
      return {
        type: "presence",
        presence: { members: update.memberCount, online: update.onlineMemberCount },
      };
  }
}

/** By the numbers of the contract (types/v1/chat.proto). */
const CHAT_TYPES: readonly (Message["chatType"] | undefined)[] = [
  undefined,
  "TEXT",
  "IMAGE",
  "VIDEO",
  "AUDIO",
  "DOCUMENT",
];

/**
 * The newest page of a room. Page 0 says how many there are, and is shown if it is the only one. A short page comes with
 * the one before it, so that the screen is full.
 */
async function newest(uid: string): Promise<{ page: number; messages: readonly Message[] }> {
  const first = await fetchMessages(uid, 0);
  const last = Math.max(first.totalPages - 1, 0);
  if (last === 0) return { page: 0, messages: first.content };
  const { content } = await fetchMessages(uid, last);
  if (content.length >= FEW) return { page: last, messages: content };
  const before = last === 1 ? first : await fetchMessages(uid, last - 1);
  return { page: last - 1, messages: merged(before.content, content) };
}

export interface RoomMessages extends State {
  readonly retry: () => void;
  readonly loadOlder: () => void;
  /** Adds a message that was sent. */
  readonly add: (message: Message) => void;
  readonly remove: (id: string) => void;
}

/** The messages of a room: the newest page, older ones on demand, and those that come. Without a room, nothing. */
export function useMessages(uid: string | null): RoomMessages {
  const [state, dispatch] = useReducer(reduce, EMPTY);
  const { page, isLoading } = state;
  const loaded = useRef(new Set<number>());

  const load = useCallback((get: () => Promise<{ page: number; messages: readonly Message[] }>) => {
    dispatch({ type: "loading" });
    get().then(
      (result) => {
        loaded.current.add(result.page);
        dispatch({ type: "page", ...result });
      },
      (error: Error) => dispatch({ type: "failed", error }),
    );
  }, []);
  const retry = useCallback(() => {
    if (uid !== null) load(() => newest(uid));
  }, [load, uid]);
  useEffect(retry, [retry]);

  const loadOlder = useCallback(() => {
    if (uid === null || !page || isLoading || loaded.current.has(page - 1)) return;
    load(async () => ({ page: page - 1, messages: (await fetchMessages(uid, page - 1)).content }));
  }, [load, page, isLoading, uid]);

  const isReady = state.messages !== null;
  const after = useRef(0n);
  after.current = BigInt(state.messages?.at(-1)?.seq ?? 0);
  useEffect(() => {
    if (!isReady || uid === null) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    let poll: ReturnType<typeof setInterval> | undefined;
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
    const follow = async () => {
      const { watchRoom } = await import("@/lib/live/rooms");
      if (isOver) return;
      stop = watchRoom(uid, after.current, {
        onUpdate: (update) => dispatch(actionOf(update)),
        onRefused: () => dispatch({ type: "refused" }),
        onLost: () => setLive(false),
        onLive: setLive,
      });
    };
    follow().catch(() => setLive(false));
    return () => {
      isOver = true;
      clearInterval(poll);
      stop?.();
    };
  }, [uid, isReady]);

  return {
    ...state,
    retry,
    loadOlder,
    add: useCallback((message: Message) => dispatch({ type: "arrived", messages: [message] }), []),
    remove: useCallback((id: string) => dispatch({ type: "removed", id }), []),
  };
}
