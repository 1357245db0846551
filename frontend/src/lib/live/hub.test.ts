import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHub, HIDDEN_CLOSE_MS, LINGER_MS, type Meaning, type Topic } from "@/lib/live/hub";
import { type Handlers, IDLE_TIMEOUT_MS } from "@/lib/live/keepStreamOpen";

const DENIED = { code: 7, message: "not yours" };
const UNAVAILABLE = { code: 14, message: "going away" };

/** An event of the fake server: a topic with a cursor, or the state of the stream or of some topics. */
type Event = string | { topic: string; seq?: bigint } | { only: string; is: "live" | "paused" };

const MAX_TOPICS = 3;

/** A hub whose server the test plays. Topics "p…" are states like payments, the others have cursors like rooms. */
function makeHub() {
  const streams: { topics: string[]; on: Handlers<Event>; cancelled: boolean }[] = [];
  const hub = createHub<Topic, Event, string>({
    open: (topics, _token, on) => {
      const names = topics.map(({ topic, cursor }) =>
        cursor === undefined ? topic.id : `${topic.id}>${cursor}`,
      );
      const stream = { topics: names, on, cancelled: false };
      streams.push(stream);
      return {
        cancel: () => {
          stream.cancelled = true;
        },
      };
    },
    token: async () => "token",
    renew: async () => "renewed",
    random: () => 1,
    meaningOf: (event): Meaning<string> => {
      if (event === "hello") return { kind: "live" };
      if (event === "paused") return { kind: "paused" };
      if (typeof event === "string") return { kind: "other" };
      if ("only" in event) return { kind: event.is, covers: (id) => id.startsWith(event.only) };
      const { topic, seq } = event;
      const update = seq === undefined ? topic : `${topic}#${seq}`;
      return { kind: "update", topicId: topic, update, ...(seq === undefined ? {} : { cursor: seq }) };
    },
    isState: ({ id }) => id.startsWith("p"),
    fitting: (topics) => topics.slice(0, MAX_TOPICS),
  });
  /** Subscribes and records the callbacks. */
  const listen = (id: string) => {
    const heard: string[] = [];
    const stop = hub.subscribe(
      { id },
      {
        onUpdate: (update) => heard.push(update),
        onRefused: (message) => heard.push(`refused: ${message}`),
        onLost: () => heard.push("lost"),
        onLive: (isLive) => heard.push(isLive ? "live" : "paused"),
      },
    );
    return { heard, stop };
  };
  const latest = () => {
    const stream = streams.at(-1);
    if (!stream) throw new Error("nothing was opened");
    return stream;
  };
  const isOpen = ({ cancelled }: { cancelled: boolean }) => !cancelled;
  return { streams, listen, latest, openStreams: () => streams.filter(isOpen) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new window.Event("visibilitychange"));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the live hub", () => {
  test("opens one stream for all topics of a screen", async () => {
    const { streams, listen, latest } = makeHub();
    const a = listen("p1");
    const b = listen("r1");
    await settle();
    expect(streams).toHaveLength(1);
    expect(latest().topics).toEqual(["r1", "p1"]);
    latest().on.event("hello");
    latest().on.event({ topic: "p1" });
    latest().on.event({ topic: "r1", seq: 7n });
    expect(a.heard).toEqual(["live", "p1"]);
    expect(b.heard).toEqual(["live", "r1#7"]);
  });

  test("opens the next stream for a new topic, with the cursors so far, and closes the last one", async () => {
    const { streams, listen, latest, openStreams } = makeHub();
    listen("r1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 7n });
    listen("p1");
    await settle();
    expect(streams).toHaveLength(2);
    expect(openStreams()).toHaveLength(1);
    expect(latest().topics).toEqual(["p1", "r1>7"]);
  });

  test("reconnects after the cursors of the lost stream", async () => {
    const { listen, latest } = makeHub();
    const { heard } = listen("r1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 7n });
    latest().on.end(UNAVAILABLE);
    await vi.advanceTimersByTimeAsync(500);
    latest().on.event("hello");
    expect(latest().topics).toEqual(["r1>7"]);
    expect(heard).toEqual(["live", "r1#7", "paused", "lost", "live"]);
  });

  test("shares a topic: a later subscriber starts with the last known state", async () => {
    const { streams, listen, latest } = makeHub();
    listen("p1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "p1" });
    const later = listen("p1");
    await settle();
    expect(later.heard).toEqual(["live", "p1"]);
    expect(streams).toHaveLength(1);
  });

  test("keeps its stream when the next screen wants the same topic, and closes it when no screen does", async () => {
    const { streams, listen, latest } = makeHub();
    const waiting = listen("p1");
    await settle();
    latest().on.event("hello");
    waiting.stop();
    await vi.advanceTimersByTimeAsync(LINGER_MS - 1);
    const wallet = listen("p1");
    await vi.advanceTimersByTimeAsync(LINGER_MS);
    expect(streams.map(({ cancelled }) => cancelled)).toEqual([false]);
    wallet.stop();
    await vi.advanceTimersByTimeAsync(LINGER_MS);
    expect(streams.map(({ cancelled }) => cancelled)).toEqual([true]);
  });

  test.each([
    ["while it lingers", LINGER_MS - 1],
    ["after that", LINGER_MS + 1],
  ])("opens a topic with a cursor anew for a subscriber that returns %s", async (_, away) => {
    const { streams, listen, latest, openStreams } = makeHub();
    // Another topic keeps the stream open.
    listen("p1");
    const left = listen("r1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 7n });
    left.stop();
    await vi.advanceTimersByTimeAsync(away);
    // No subscriber has received the event, so the next one must not start after it.
    latest().on.event({ topic: "r1", seq: 8n });
    const back = listen("r1");
    await settle();
    expect(streams).toHaveLength(2);
    expect(openStreams()).toHaveLength(1);
    expect(latest().topics).toEqual(["r1", "p1"]);
    expect(back.heard).toEqual([]);
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 8n });
    expect(back.heard).toEqual(["live", "r1#8"]);
    await vi.advanceTimersByTimeAsync(LINGER_MS);
    latest().on.event({ topic: "r1", seq: 9n });
    expect(back.heard).toEqual(["live", "r1#8", "r1#9"]);
  });

  test("opens a topic with a cursor anew when it was the only one", async () => {
    const { streams, listen, latest, openStreams } = makeHub();
    const left = listen("r1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 7n });
    left.stop();
    listen("r1");
    await settle();
    expect(streams).toHaveLength(2);
    expect(openStreams()).toHaveLength(1);
    expect(latest().topics).toEqual(["r1"]);
  });

  test("sends nothing to a subscriber that has left", async () => {
    const { listen, latest } = makeHub();
    const { heard, stop } = listen("p1");
    await settle();
    stop();
    latest().on.event("hello");
    latest().on.event({ topic: "p1" });
    expect(heard).toEqual([]);
  });

  test("says that updates are paused while the service behind the gateway is away", async () => {
    const { listen, latest } = makeHub();
    const { heard } = listen("p1");
    await settle();
    latest().on.event("hello");
    latest().on.event("paused");
    latest().on.event("heartbeat");
    latest().on.event("hello");
    expect(heard).toEqual(["live", "paused", "lost", "live"]);
  });

  test("pauses the topics of the service that is away, and no others", async () => {
    const { listen, latest } = makeHub();
    const payment = listen("p1");
    const room = listen("r1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ only: "r", is: "paused" });
    latest().on.event({ topic: "p1" });
    expect(payment.heard).toEqual(["live", "p1"]);
    expect(room.heard).toEqual(["live", "paused", "lost"]);
    latest().on.event({ only: "r", is: "live" });
    expect(payment.heard).toEqual(["live", "p1"]);
    expect(room.heard.at(-1)).toBe("live");
  });

  test("asks by a plain call about topics that a finished stream has left open", async () => {
    const { streams, listen, latest } = makeHub();
    const { heard } = listen("p1");
    await settle();
    latest().on.event("hello");
    latest().on.end(null);
    await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS);
    expect(heard).toEqual(["live", "lost"]);
    expect(streams).toHaveLength(1);
  });

  test("carries the newest topics when there are too many, and the others are polled", async () => {
    const { listen, latest } = makeHub();
    const oldest = listen("p0");
    for (const id of ["p1", "p2", "p3"]) listen(id);
    await settle();
    expect(latest().topics).toEqual(["p3", "p2", "p1"]);
    expect(oldest.heard).toEqual(["lost"]);
  });
});

describe("a refused topic", () => {
  test("is given up by its name, and the others get the next stream", async () => {
    const { streams, listen, latest } = makeHub();
    const good = listen("p1");
    const bad = listen("bad");
    const other = listen("p2");
    await settle();
    latest().on.end({ ...DENIED, refusedTopics: ["bad"] });
    await settle();
    expect(streams).toHaveLength(2);
    expect(latest().topics).toEqual(["p2", "p1"]);
    latest().on.event("hello");
    expect(bad.heard).toEqual(["refused: not yours"]);
    expect(good.heard).toEqual(["live"]);
    expect(other.heard).toEqual(["live"]);
  });

  test("of a stream that was open, as of a room that was left, takes no cursor of the others", async () => {
    const { listen, latest } = makeHub();
    listen("r1");
    const left = listen("r2");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 7n });
    latest().on.end({ code: 12, message: "not possible yet", refusedTopics: ["r2"] });
    await settle();
    expect(left.heard.at(-1)).toBe("refused: not possible yet");
    expect(latest().topics).toEqual(["r1>7"]);
  });

  test("that is not named refuses all, and none is tried again", async () => {
    const { streams, listen, latest } = makeHub();
    const one = listen("p1");
    const other = listen("p2");
    await settle();
    latest().on.end(DENIED);
    await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS);
    expect(one.heard).toEqual(["refused: not yours"]);
    expect(other.heard).toEqual(["refused: not yours"]);
    expect(streams).toHaveLength(1);
  });
});

describe("a hidden page", () => {
  test("closes the stream after a minute, and opens it after the cursors when it is shown", async () => {
    const { streams, listen, latest } = makeHub();
    const { heard } = listen("r1");
    await settle();
    latest().on.event("hello");
    latest().on.event({ topic: "r1", seq: 7n });
    setVisibility("hidden");
    await vi.advanceTimersByTimeAsync(HIDDEN_CLOSE_MS / 2);
    latest().on.event("heartbeat");
    await vi.advanceTimersByTimeAsync(HIDDEN_CLOSE_MS / 2 - 1);
    expect(latest().cancelled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(latest().cancelled).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * HIDDEN_CLOSE_MS);
    expect(streams).toHaveLength(1);
    setVisibility("visible");
    await settle();
    expect(latest().topics).toEqual(["r1>7"]);
    latest().on.event("hello");
    expect(heard.at(-1)).toBe("live");
  });

  test("keeps the stream when it is shown again within a minute", async () => {
    const { streams, listen, latest } = makeHub();
    listen("p1");
    await settle();
    latest().on.event("hello");
    setVisibility("hidden");
    await vi.advanceTimersByTimeAsync(10_000);
    setVisibility("visible");
    latest().on.event("heartbeat");
    await vi.advanceTimersByTimeAsync(30_000);
    latest().on.event("heartbeat");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(streams.map(({ cancelled }) => cancelled)).toEqual([false]);
  });

  test("opens no stream for a new topic before it is shown", async () => {
    setVisibility("hidden");
    const { streams, listen } = makeHub();
    listen("p1");
    await settle();
    expect(streams).toHaveLength(0);
    setVisibility("visible");
    await settle();
    expect(streams).toHaveLength(1);
  });
});
