import { type FinalStatus, keepStreamOpen, type StreamOptions } from "@/lib/live/keepStreamOpen";

/** A hidden page closes its stream after this time: it is not visible, and each heart-beat costs data. */
export const HIDDEN_CLOSE_MS = 60_000;
/** A topic stays this long without a subscriber, so that a change of screens does not open the stream again. */
export const LINGER_MS = 5_000;

/** What a topic's subscriber receives. */
export interface TopicWatch<U> {
  readonly onUpdate: (update: U) => void;
  /** The server refused the topic for good. */
  readonly onRefused: (message: string) => void;
  /** Updates may have been missed, and the stream is lost: the caller should poll with a plain call. */
  readonly onLost: () => void;
  /** Called with whether updates arrive. */
  readonly onLive: (isLive: boolean) => void;
}

/** A topic of the stream. `id` is unique among all topics, for example "payment/{id}". */
export interface Topic {
  readonly id: string;
}

/** Whether an event is about the topic with this id. Without it, it is about all of them. */
type Covers = (topicId: string) => boolean;

/** What one event of the stream means. */
export type Meaning<U> =
  | { readonly kind: "update"; readonly topicId: string; readonly update: U; readonly cursor?: bigint }
  /** The stream is open, or the service of some topics is back. */
  | { readonly kind: "live"; readonly covers?: Covers }
  /** The service of some topics is out of reach. */
  | { readonly kind: "paused"; readonly covers?: Covers }
  | { readonly kind: "other" };

/** The hub's connection to the server: the stream's messages, and the tokens. */
export interface Protocol<T extends Topic, E, U>
  extends Pick<StreamOptions<E>, "token" | "renew" | "random"> {
  /** Opens a stream of these topics, each after its cursor. */
  readonly open: (
    topics: readonly { readonly topic: T; readonly cursor: bigint | undefined }[],
    token: string,
    on: Parameters<StreamOptions<E>["open"]>[1],
  ) => ReturnType<StreamOptions<E>["open"]>;
  readonly meaningOf: (event: E) => Meaning<U>;
  /** Whether the topic's last update is its whole state, so that a later subscriber can start with it. */
  readonly isState: (topic: T) => boolean;
  /** The topics that fit into one stream, out of all, newest first. The others are polled. */
  readonly fitting: (topics: readonly T[]) => readonly T[];
}

interface Entry<T, U> {
  readonly topic: T;
  readonly watches: Set<TopicWatch<U>>;
  cursor: bigint | undefined;
  last: U | undefined;
  linger: ReturnType<typeof setTimeout> | undefined;
}

export interface Hub<T extends Topic, U> {
  /** Adds a subscriber to a topic. Returns the function that removes it. */
  subscribe(topic: T, watch: TopicWatch<U>): () => void;
}

/**
 * The one live stream of a tab, shared by all screens. It carries every topic that has a subscriber; a new topic opens
 * the next stream, with the cursors so far, and a topic without subscribers is left out of the next one. The stream is
 * closed while there is no subscriber, and while the page is hidden for longer than {@link HIDDEN_CLOSE_MS}.
 */
export function createHub<T extends Topic, E, U>(protocol: Protocol<T, E, U>): Hub<T, U> {
  // The entries are in the order of subscription.
  const entries = new Map<string, Entry<T, U>>();
  let stop: (() => void) | null = null;
  let isScheduled = false;
  /** The topics of the open stream. */
  let carried = new Set<string>();
  /** The carried topics whose updates arrive. */
  const live = new Set<string>();
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;

  const watchesOf = (ids: Iterable<string>) =>
    [...ids].flatMap((id) => [...(entries.get(id)?.watches ?? [])]);

  function setLive(next: boolean, covers: Covers): readonly TopicWatch<U>[] {
    const ids = [...carried].filter(covers);
    for (const id of ids) {
      if (next) live.add(id);
      else live.delete(id);
    }
    const watches = watchesOf(ids);
    for (const watch of watches) watch.onLive(next);
    return watches;
  }

  function lose(covers: Covers = () => true): void {
    for (const watch of setLive(false, covers)) watch.onLost();
  }

  function close(): void {
    stop?.();
    stop = null;
    live.clear();
    carried = new Set();
  }

  /** The topics of the next stream. */
  function nextTopics(): readonly T[] {
    return protocol.fitting([...entries.values()].reverse().map(({ topic }) => topic));
  }

  /** Drops the refused topics, and opens a stream of the others. */
  function refuse({ message, refusedTopics = [] }: FinalStatus): void {
    const named = refusedTopics.filter((id) => carried.has(id));
    // A refusal without topics concerns the whole request.
    const ids = named.length > 0 ? named : [...carried];
    close();
    const watches = watchesOf(ids);
    ids.forEach(remove);
    for (const watch of watches) watch.onRefused(message);
    scheduleOpen();
  }

  function receive(event: E): void {
    const meaning = protocol.meaningOf(event);
    switch (meaning.kind) {
      case "live":
        setLive(true, meaning.covers ?? (() => true));
        break;
      case "paused":
        lose(meaning.covers);
        break;
      case "update": {
        const entry = entries.get(meaning.topicId);
        if (!entry) return;
        if (meaning.cursor !== undefined) entry.cursor = meaning.cursor;
        if (protocol.isState(entry.topic)) entry.last = meaning.update;
        for (const watch of entry.watches) watch.onUpdate(meaning.update);
      }
    }
  }

  function open(): void {
    close();
    const topics = nextTopics();
    if (topics.length === 0) return;
    carried = new Set(topics.map(({ id }) => id));
    const leftOut = [...entries.keys()].filter((id) => !carried.has(id));
    for (const watch of watchesOf(leftOut)) watch.onLost();
    const { token, renew, random } = protocol;
    stop = keepStreamOpen<E>({
      // Each attempt starts after the last event that arrived.
      open: (bearer, on) =>
        protocol.open(
          topics.map((topic) => ({ topic, cursor: entries.get(topic.id)?.cursor })),
          bearer,
          on,
        ),
      token,
      renew,
      ...(random ? { random } : {}),
      onEvent: receive,
      // All topics of the stream have ended. A subscriber that has missed an end makes a plain call.
      onDone: () => {
        const watches = watchesOf(carried);
        close();
        for (const watch of watches) watch.onLost();
      },
      onRefused: (status, because) => {
        if (because === "request") return refuse(status);
        const watches = watchesOf(entries.keys());
        close();
        for (const watch of watches) watch.onRefused(status.message);
      },
      onLost: () => lose(),
    });
  }

  /** Opens the next stream after the current task, so that the topics of one screen come in one stream. */
  function scheduleOpen(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      const wanted = nextTopics();
      const isCovered = stop !== null && wanted.every(({ id }) => carried.has(id));
      if (!isCovered && !isClosedForHiding()) open();
    });
  }

  const isClosedForHiding = () => document.visibilityState === "hidden" && hiddenTimer === undefined;

  function onVisibility(): void {
    clearTimeout(hiddenTimer);
    hiddenTimer = undefined;
    if (document.visibilityState === "hidden") {
      hiddenTimer = setTimeout(() => {
        hiddenTimer = undefined;
        close();
      }, HIDDEN_CLOSE_MS);
    } else if (stop === null) scheduleOpen();
  }

  function remove(id: string): void {
    clearTimeout(entries.get(id)?.linger);
    entries.delete(id);
    // The open stream may be past the next subscriber's cursor, so that subscriber gets a new stream.
    carried.delete(id);
    live.delete(id);
    if (entries.size > 0) return;
    close();
    clearTimeout(hiddenTimer);
    hiddenTimer = undefined;
    document.removeEventListener("visibilitychange", onVisibility);
  }

  function entryOf(topic: T): Entry<T, U> {
    const known = entries.get(topic.id);
    if (known) return known;
    if (entries.size === 0) document.addEventListener("visibilitychange", onVisibility);
    const entry: Entry<T, U> = {
      topic,
      watches: new Set(),
      cursor: undefined,
      last: undefined,
      linger: undefined,
    };
    entries.set(topic.id, entry);
    return entry;
  }

  return {
    subscribe(topic, watch) {
      // Events without a subscriber are dropped; only the last event of a state is kept.
      if (entries.get(topic.id)?.watches.size === 0 && !protocol.isState(topic)) remove(topic.id);
      const entry = entryOf(topic);
      clearTimeout(entry.linger);
      entry.watches.add(watch);
      // A subscriber of a topic that the stream carries already starts with the last known state.
      if (live.has(topic.id)) {
        watch.onLive(true);
        if (entry.last !== undefined) watch.onUpdate(entry.last);
      }
      scheduleOpen();
      return () => {
        entry.watches.delete(watch);
        if (entry.watches.size > 0 || entries.get(topic.id) !== entry) return;
        clearTimeout(entry.linger);
        entry.linger = setTimeout(() => remove(topic.id), LINGER_MS);
      };
    },
  };
}
