import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Fault } from "@/lib/http/fault";
import { type Handlers, IDLE_TIMEOUT_MS, keepStreamOpen } from "@/lib/live/keepStreamOpen";

const UNAVAILABLE = { code: 14, message: "going away" };
const UNAUTHENTICATED = { code: 16, message: "who are you" };
const DENIED = { code: 7, message: "not yours" };

/** Opens a stream against a server that the test plays, and records the callbacks. */
function openStream(refusedToken?: Fault, tokenTakes: () => Promise<void> = async () => {}) {
  const attempts: { token: string; on: Handlers<string>; cancelled: boolean }[] = [];
  const received = { events: [] as string[], done: 0, refused: [] as string[], lost: 0 };
  let tokens = 0;
  const stop = keepStreamOpen<string>({
    open: (token, on) => {
      const attempt = { token, on, cancelled: false };
      attempts.push(attempt);
      return {
        cancel: () => {
          attempt.cancelled = true;
        },
      };
    },
    token: async () => {
      if (refusedToken) throw refusedToken;
      const token = `token-${++tokens}`;
      await tokenTakes();
      return token;
    },
    renew: async (refused) => `renewed-${refused}`,
    onEvent: (event) => received.events.push(event),
    onDone: () => {
      received.done += 1;
    },
    onRefused: ({ message }) => received.refused.push(message),
    onLost: () => {
      received.lost += 1;
    },
    random: () => 1,
  });
  const latest = () => {
    const attempt = attempts.at(-1);
    if (!attempt) throw new Error("nothing was opened");
    return attempt;
  };
  return { attempts, received, stop, latest };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a stream kept open", () => {
  test("passes events on and finishes on OK", async () => {
    const { attempts, received, latest } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    latest().on.event("hello");
    latest().on.end(null);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(received).toMatchObject({ events: ["hello"], done: 1, lost: 0 });
    expect(attempts).toHaveLength(1);
  });

  test("reconnects with increasing delays and a fresh token each time", async () => {
    const { attempts, latest } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    for (const delay of [500, 1_000, 2_000]) {
      latest().on.end(UNAVAILABLE);
      const before = attempts.length;
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(attempts).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(attempts).toHaveLength(before + 1);
    }
    expect(attempts.map(({ token }) => token)).toEqual(["token-1", "token-2", "token-3", "token-4"]);
  });

  test("resets the backoff after an event", async () => {
    const { attempts, latest } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    latest().on.end(UNAVAILABLE);
    await vi.advanceTimersByTimeAsync(500);
    latest().on.event("hello");
    latest().on.end(UNAVAILABLE);
    await vi.advanceTimersByTimeAsync(500);
    expect(attempts).toHaveLength(3);
  });

  test("reconnects after 40 s without an event", async () => {
    const { attempts, received, latest } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS - 1);
    latest().on.event("heartbeat");
    await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS - 1);
    expect(received.lost).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(received.lost).toBe(1);
    expect(attempts[0]?.cancelled).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(attempts).toHaveLength(2);
  });

  test("replaces a refused token once, then reports the refusal", async () => {
    const { attempts, received, latest } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    latest().on.end(UNAUTHENTICATED);
    await vi.advanceTimersByTimeAsync(0);
    expect(latest().token).toBe("renewed-token-1");
    latest().on.end(UNAUTHENTICATED);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(attempts).toHaveLength(2);
    expect(received.refused).toEqual(["who are you"]);
  });

  test("does not retry a refusal", async () => {
    const { attempts, received, latest } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    latest().on.end(DENIED);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(attempts).toHaveLength(1);
    expect(received).toMatchObject({ refused: ["not yours"], lost: 0 });
  });

  test.each([
    [401, "SESSION_REVOKED", 0, ["You are not logged in"]],
    [0, "OFFLINE", 1, []],
    // Another reason for a failed renewal says nothing about the stream, so it is retried.
    [400, "INVALID", 1, []],
    [403, "INVALID", 1, []],
  ])(
    "without a token (status %d, code %s) reports %d losses and the refusals %o",
    async (status, code, lost, refused) => {
      const { attempts, received, stop } = openStream(new Fault("You are not logged in", { code, status }));
      await vi.advanceTimersByTimeAsync(100);
      stop();
      expect(attempts).toHaveLength(0);
      expect(received).toMatchObject({ lost, refused });
    },
  );

  const showPage = () => document.dispatchEvent(new Event("visibilitychange"));

  test("opens one attempt, however often the page is shown while the token is being fetched", async () => {
    const { attempts, stop } = openStream(
      undefined,
      () => new Promise((resolve) => setTimeout(resolve, 5_000)),
    );
    for (let shown = 0; shown < 3; shown++) {
      await vi.advanceTimersByTimeAsync(1_000);
      showPage();
    }
    await vi.advanceTimersByTimeAsync(20_000);
    expect(attempts.map(({ token }) => token)).toEqual(["token-4"]);
    stop();
    expect(attempts[0]?.cancelled).toBe(true);
  });

  test("ignores an attempt that was replaced when the page was shown", async () => {
    const { attempts, received, stop } = openStream();
    await vi.advanceTimersByTimeAsync(20_000);
    showPage();
    await vi.advanceTimersByTimeAsync(0);
    expect(attempts.map(({ cancelled }) => cancelled)).toEqual([true, false]);
    attempts[0]?.on.event("late");
    attempts[0]?.on.end(DENIED);
    expect(received).toMatchObject({ events: [], refused: [], lost: 0 });
    attempts[1]?.on.event("hello");
    expect(received.events).toEqual(["hello"]);
    stop();
  });

  test("does not reconnect a shown page that had an event a moment ago", async () => {
    const { attempts, latest, stop } = openStream();
    await vi.advanceTimersByTimeAsync(20_000);
    latest().on.event("hello");
    showPage();
    await vi.advanceTimersByTimeAsync(0);
    expect(attempts).toHaveLength(1);
    stop();
  });

  test("makes no callback after it was stopped", async () => {
    const { attempts, received, latest, stop } = openStream();
    await vi.advanceTimersByTimeAsync(0);
    stop();
    latest().on.event("late");
    latest().on.end(UNAVAILABLE);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(attempts).toHaveLength(1);
    expect(attempts[0]?.cancelled).toBe(true);
    expect(received).toMatchObject({ events: [], lost: 0 });
  });
});
