import { keepStreamOpen, type StreamOptions } from "@/lib/live/keepStreamOpen";

/** A hidden page closes its stream after this time: it is not seen, and each heart-beat costs data. */
export const HIDDEN_CLOSE_MS = 60_000;
/** A topic stays this long without a subscriber, so that a change of screens does not open the stream again. */
export const LINGER_MS = 5_000;

/** What a topic's subscriber receives. */
export interface TopicWatch<U> {
  readonly onUpdate: (update: U) => void;
  /** The server refused the topic for good. */
  readonly onRefused: (message: string) => void;
  /** Updates may have been missed, and the stream is not there: the caller should poll with a plain call. */
  readonly onLost: () => void;
  /** Whether updates arrive. */
  readonly onLive: (isLive: boolean) => void;
}

/** A topic of the stream. `id` is unique among all topics, for example "payment/{id}". */
export interface Topic {
  readonly id: string;
}

/** What one event of the stream means. */
export type Meaning<U> =
  | { readonly kind: "update"; readonly topicId: string; readonly update: U; readonly cursor?: bigint }
  /** The stream is open, or the service behind the gateway is back. */
  | { readonly kind: "live" }
  /** The service behind the gateway is out of reach. */
  | { readonly kind: "paused" }
  | { readonly kind: "other" };

/** How the hub speaks to the server: the stream's messages, and the tokens. */
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
  /** A stream with this topic has been accepted, so that a refusal is not because of it. */
  isAccepted: boolean;
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
  // In the order of subscription.
  const entries = new Map<string, Entry<T, U>>();
  let stop: (() => void) | null = null;
  let isLive = false;
  let isScheduled = false;
  /** The topics of the open stream. */
  let carried = new Set<string>();
  /** After a refusal, topics are tried one by one, so that a refused one does not take the others with it. */
  let isCareful = false;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;

  const watchesOf = (ids: Iterable<string>) =>
    [...ids].flatMap((id) => [...(entries.get(id)?.watches ?? [])]);

  function setLive(next: boolean): void {
    isLive = next;
    for (const watch of watchesOf(carried)) watch.onLive(next);
  }

  function lose(): void {
    setLive(false);
    for (const watch of watchesOf(carried)) watch.onLost();
  }

  function close(): void {
    stop?.();
    stop = null;
    isLive = false;
    carried = new Set();
  }

  /** The topics of the next stream: all, or in careful mode one that is not accepted yet. */
  function nextTopics(): readonly T[] {
    const all = [...entries.values()];
    const untried = isCareful ? all.find(({ isAccepted }) => !isAccepted) : undefined;
    return untried ? [untried.topic] : protocol.fitting(all.reverse().map(({ topic }) => topic));
  }

  function setAccepted(ids: Iterable<string>, isAccepted: boolean): void {
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry) entry.isAccepted = isAccepted;
    }
  }

  function accept(): void {
    setAccepted(carried, true);
    if (!isCareful) return;
    isCareful = [...entries.values()].some(({ isAccepted }) => !isAccepted);
    scheduleOpen();
  }

  function refuse(message: string): void {
    const ids = [...carried];
    close();
    if (ids.length === 1) {
      const watches = watchesOf(ids);
      ids.forEach(remove);
      for (const watch of watches) watch.onRefused(message);
    } else {
      // It is not known which topic was refused. One that was accepted before can be, as of a room that was left.
      setAccepted(ids, false);
      isCareful = true;
    }
    scheduleOpen();
  }

  function receive(event: E): void {
    const meaning = protocol.meaningOf(event);
    switch (meaning.kind) {
      case "live":
        setLive(true);
        accept();
        break;
      case "paused":
        lose();
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
    if (!isCareful) {
      const leftOut = [...entries.keys()].filter((id) => !carried.has(id));
      for (const watch of watchesOf(leftOut)) watch.onLost();
    }
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
      // All topics of the stream have ended. A subscriber that has not seen it asks by a plain call.
      onDone: () => {
        const watches = watchesOf(carried);
        close();
        for (const watch of watches) watch.onLost();
      },
      onRefused: (message, because) => {
        if (because === "request") return refuse(message);
        const watches = watchesOf(entries.keys());
        close();
        for (const watch of watches) watch.onRefused(message);
      },
      onLost: lose,
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
    if (entries.size > 0) return;
    close();
    isCareful = false;
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
      isAccepted: false,
      linger: undefined,
    };
    entries.set(topic.id, entry);
    return entry;
  }

  return {
    subscribe(topic, watch) {
      const entry = entryOf(topic);
      clearTimeout(entry.linger);
      entry.watches.add(watch);
      // A subscriber of a topic that the stream carries already starts with what is known.
      if (carried.has(topic.id) && isLive) {
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
