import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { REFRESH_TIMEOUT_MS } from "@/lib/env";
import { Fault } from "@/lib/http/fault";
import * as platform from "@/lib/platform";
import { freshToken, replaceToken, resumeSession, setStaySignedIn } from "@/lib/session/access";
import {
  clearStorage,
  currentPlayer,
  currentSession,
  dropSession,
  onSessionLost,
  saveSession,
} from "@/lib/session/session";
import { syncWithOtherTabs } from "@/lib/session/tabSync";
import { broadcastEnd } from "@/lib/session/tabs";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";

const REFRESH = "POST /auth/refresh";
const successor = aSession({ accessToken: "access-2", refreshToken: "refresh-2" });
const renewed = () => ({ statusCode: 200, payload: successor });
const lostConnection = () => new TypeError("Failed to fetch");
const revoked = () => ({ statusCode: 401, payload: { code: "SESSION_REVOKED" } });

const expiringSession = () => aSession({ expirationTime: Date.now() + 60_000 });
const expiredSession = () => aSession({ expirationTime: Date.now() - 1 });

let losses = 0;
let unsubscribe: () => void;
beforeEach(() => {
  losses = 0;
  unsubscribe = onSessionLost(() => {
    losses += 1;
  });
});
afterEach(() => {
  unsubscribe();
  vi.unstubAllGlobals();
});

describe("a token that cannot be renewed", () => {
  test.each([
    ["a lost connection", lostConnection],
    ["an unavailable server", () => ({ statusCode: 503, payload: { code: "UNAVAILABLE" } })],
    ["a rate limit", () => ({ statusCode: 429, payload: { code: "RATE_LIMITED" } })],
    ["a refusal that is not about the session", () => ({ statusCode: 400, payload: { code: "INVALID" } })],
  ])("because of %s is used while it is valid, and the session stays", async (_why, answer) => {
    saveSession(expiringSession());
    stubGateway({ [REFRESH]: answer });
    expect(await freshToken()).toBe("access-1");
    saveSession(expiredSession());
    await expect(freshToken()).rejects.toBeInstanceOf(Fault);
    expect(currentSession()?.refreshToken).toBe("refresh-1");
    expect(losses).toBe(0);
  });

  test("is not tried again with every call, as long as the old one is valid", async () => {
    vi.useFakeTimers();
    const unavailable = () => ({ statusCode: 503, payload: { code: "SESSION_UNVERIFIED" } });
    saveSession(aSession({ expirationTime: Date.now() + 20_000 }));
    const seen = stubGateway({ [REFRESH]: unavailable });
    await freshToken();
    const attempts = seen.length;
    expect(await freshToken()).toBe("access-1");
    expect(seen).toHaveLength(attempts);
    vi.advanceTimersByTime(16_000);
    expect(await freshToken()).toBe("access-1");
    expect(seen).toHaveLength(2 * attempts);
    // The token has expired within the pause: the call with the old token would be refused.
    vi.advanceTimersByTime(5_000);
    await expect(freshToken()).rejects.toMatchObject({ code: "SESSION_UNVERIFIED" });
    expect(currentSession()?.refreshToken).toBe("refresh-1");
    vi.useRealTimers();
  });

  test("because the session was revoked is not used", async () => {
    saveSession(expiringSession());
    stubGateway({ [REFRESH]: revoked });
    await expect(freshToken()).rejects.toMatchObject({ code: "SESSION_REVOKED" });
    expect(currentSession()).toBeNull();
    expect(losses).toBe(1);
  });

  test("because of an ingress's page keeps the session, whatever its status", async () => {
    saveSession(expiringSession());
    vi.stubGlobal("fetch", async () => new Response("<html>", { status: 401 }));
    expect(await freshToken()).toBe("access-1");
    expect(losses).toBe(0);
  });
});

describe("a renewal", () => {
  test("is repeated once, immediately and with the same token, when there was no reply", async () => {
    saveSession(expiredSession());
    let calls = 0;
    const seen = stubGateway({ [REFRESH]: () => (++calls === 1 ? lostConnection() : renewed()) });
    expect(await freshToken()).toBe("access-2");
    expect(seen.map(({ body }) => body)).toEqual([
      { refreshToken: "refresh-1" },
      { refreshToken: "refresh-1" },
    ]);
  });

  test("is not repeated a second time, and not after a refusal", async () => {
    saveSession(expiredSession());
    const lost = stubGateway({ [REFRESH]: lostConnection });
    await freshToken().catch(() => {});
    expect(lost).toHaveLength(2);
    const refused = stubGateway({ [REFRESH]: revoked });
    await freshToken().catch(() => {});
    expect(refused).toHaveLength(1);
  });

  test("times out early enough for its repeat to be accepted", async () => {
    const timeout = vi.spyOn(platform, "timeoutSignal");
    saveSession(expiredSession());
    stubGateway({ [REFRESH]: renewed });
    await freshToken();
    expect(timeout).toHaveBeenCalledExactlyOnceWith(REFRESH_TIMEOUT_MS);
    expect(2 * REFRESH_TIMEOUT_MS).toBeLessThan(30_000);
  });

  test("that arrives after the player signed out does not sign them in", async () => {
    saveSession(expiredSession());
    stubGateway({
      [REFRESH]: () => {
        dropSession();
        return renewed();
      },
    });
    await expect(freshToken()).rejects.toMatchObject({ status: 401 });
    expect(currentSession()).toBeNull();
  });

  test("does not replace the session of the next player", async () => {
    saveSession(expiredSession());
    stubGateway({
      [REFRESH]: () => {
        saveSession(aSession({ uid: "p2", accessToken: "theirs", refreshToken: "theirs" }));
        return renewed();
      },
    });
    await expect(freshToken()).rejects.toMatchObject({ status: 401 });
    expect(currentSession()?.uid).toBe("p2");
  });
});

describe("a window without a session", () => {
  /** Opens a window without a session, in a browser in which a player has signed in. */
  function openWindow(): void {
    saveSession(aSession());
    sessionStorage.clear();
  }

  test("is signed in by the cookie, once for all who wait", async () => {
    openWindow();
    const profile = () => ({ statusCode: 200, payload: aPlayer() });
    const seen = stubGateway({ [REFRESH]: renewed, "GET /auth/login": profile });
    await Promise.all([resumeSession(), resumeSession()]);
    expect(currentSession()?.accessToken).toBe("access-2");
    expect(currentPlayer()?.uid).toBe("p1");
    await resumeSession();
    expect(seen.map(({ path, body }) => [path, body])).toEqual([
      ["/auth/refresh", {}],
      ["/auth/login", undefined],
    ]);
  });

  test("of a guest asks for nothing", async () => {
    const seen = stubGateway({});
    await resumeSession();
    expect(seen).toHaveLength(0);
  });

  test("asks for nothing after a logout without connection", async () => {
    openWindow();
    clearStorage();
    const seen = stubGateway({});
    await resumeSession();
    expect(seen).toHaveLength(0);
  });

  test("stays a guest's when the session has ended, and does not ask again", async () => {
    openWindow();
    const seen = stubGateway({ [REFRESH]: revoked });
    await resumeSession();
    await resumeSession();
    expect(currentSession()).toBeNull();
    expect(seen).toHaveLength(1);
    expect(losses).toBe(0);
  });

  test("asks again later when there was no connection", async () => {
    vi.useFakeTimers();
    openWindow();
    stubGateway({ [REFRESH]: lostConnection });
    await resumeSession();
    const seen = stubGateway({ [REFRESH]: renewed });
    await resumeSession();
    expect(seen).toHaveLength(0);
    vi.advanceTimersByTime(16_000);
    await resumeSession();
    expect(currentSession()?.accessToken).toBe("access-2");
    vi.useRealTimers();
  });

  test("keeps the session of a player who signs in meanwhile", async () => {
    openWindow();
    stubGateway({
      [REFRESH]: () => {
        saveSession(aSession({ uid: "p2", accessToken: "theirs" }));
        return renewed();
      },
    });
    await resumeSession();
    expect(currentSession()?.uid).toBe("p2");
  });
});

test("the wish to stay signed in goes with a renewal, and is kept with the session", async () => {
  saveSession(aSession());
  const stays = () => ({ statusCode: 200, payload: { ...successor, staySignedIn: true } });
  const seen = stubGateway({ [REFRESH]: stays });
  await setStaySignedIn(true);
  expect(seen.map(({ body }) => body)).toEqual([{ refreshToken: "refresh-1", staySignedIn: true }]);
  expect(currentSession()).toMatchObject({ refreshToken: "refresh-2", staySignedIn: true });
});

describe("two tabs with one session", () => {
  class Channel {
    static open: Channel[] = [];
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor(readonly name: string) {
      Channel.open.push(this);
    }
    postMessage(data: unknown) {
      for (const other of Channel.open)
        if (other !== this && other.name === this.name) other.onmessage?.({ data: structuredClone(data) });
    }
    close() {
      Channel.open = Channel.open.filter((other) => other !== this);
    }
  }

  beforeEach(() => {
    Channel.open = [];
    vi.stubGlobal("BroadcastChannel", Channel);
  });
  afterEach(() => void Reflect.deleteProperty(navigator, "locks"));

  /** A lock that another tab holds first; `otherTab` runs while that tab holds it. */
  function lockedBy(otherTab: () => void) {
    const request = vi.fn(async (_name: string, run: () => Promise<unknown>) => {
      otherTab();
      return run();
    });
    Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
    return request;
  }

  test("take turns: the second one uses the session that the first one renewed", async () => {
    saveSession(expiredSession());
    const stop = syncWithOtherTabs();
    const request = lockedBy(() =>
      new Channel("session").postMessage({ from: "refresh-1", next: successor }),
    );
    const seen = stubGateway({});
    expect(await freshToken()).toBe("access-2");
    expect(request).toHaveBeenCalledOnce();
    expect(seen).toHaveLength(0);
    stop();
  });

  test("broadcast the renewed session", async () => {
    saveSession(expiredSession());
    lockedBy(() => {});
    const received: unknown[] = [];
    new Channel("session").onmessage = ({ data }) => received.push(data);
    stubGateway({ [REFRESH]: renewed });
    await freshToken();
    expect(received).toEqual([{ from: "refresh-1", next: successor }]);
  });

  test("accept only the successor of their own session", () => {
    const stop = syncWithOtherTabs();
    const other = new Channel("session");
    other.postMessage({ from: "refresh-1", next: successor });
    expect(currentSession()).toBeNull();
    saveSession(aSession());
    for (const noise of [null, { from: "refresh-1" }, { from: "refresh-9", next: successor }])
      other.postMessage(noise);
    expect(currentSession()?.refreshToken).toBe("refresh-1");
    other.postMessage({ from: "refresh-1", next: successor });
    expect(currentSession()?.refreshToken).toBe("refresh-2");
    stop();
  });

  test("sign a player out together", () => {
    const stop = syncWithOtherTabs();
    const reload = vi.fn();
    vi.stubGlobal("location", { ...window.location, reload });
    saveSession(aSession());
    broadcastEnd("another-player");
    expect(reload).not.toHaveBeenCalled();
    broadcastEnd(aSession().uid);
    expect(reload).toHaveBeenCalledOnce();
    expect(currentSession()).toBeNull();
    stop();
  });

  test("keep the session when a refused token was already replaced by the other tab", async () => {
    saveSession(aSession());
    stubGateway({
      [REFRESH]: () => {
        saveSession(successor);
        return revoked();
      },
    });
    expect(await replaceToken("access-1")).toBe("access-2");
    expect(currentSession()?.refreshToken).toBe("refresh-2");
    expect(losses).toBe(0);
  });
});
