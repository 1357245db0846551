import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeLanguage } from "@/lib/i18n/language";
import { forgetPushRegistration } from "@/lib/session/pushRegistration";
import { dropSession, saveSession } from "@/lib/session/session";
import { holdUpdates } from "@/lib/updates";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { stubPush, unstubPush } from "@/test/push";
import { pushState, refreshPush, switchPushOff, switchPushOn } from "./subscription";

const KEY = "GET /profile/push-key";
const TOKEN = "POST /profile/device-token";
const REMOVE = "POST /profile/device-token/remove";
const DAY_MS = 24 * 60 * 60_000;

function gateway(handlers: Parameters<typeof stubGateway>[0] = {}) {
  return stubGateway({
    [KEY]: () => ({ statusCode: 200, payload: { publicKey: "BAEC" } }),
    [TOKEN]: () => ({ statusCode: 200 }),
    [REMOVE]: () => ({ statusCode: 200 }),
    ...handlers,
  });
}

const tokens = (seen: ReturnType<typeof gateway>) =>
  seen.filter(({ path }) => path === "/profile/device-token");

beforeEach(() => saveSession(aSession()));
afterEach(() => {
  vi.useRealTimers();
  storeLanguage("en");
  unstubPush();
});

test("switching on asks, subscribes with the server's key, and keeps the token as fcmToken", async () => {
  const push = stubPush();
  const seen = gateway();
  expect(pushState()).toBe("off");
  expect(await switchPushOn()).toBe("on");
  expect([...(push.subscribe.mock.calls[0]?.[0].applicationServerKey ?? [])]).toEqual([4, 1, 2]);
  const token = localStorage.getItem("fcmToken");
  expect(JSON.parse(token ?? "")).toMatchObject({ endpoint: "https://fcm.googleapis.com/fcm/send/x" });
  expect(tokens(seen).map(({ body }) => body)).toEqual([{ deviceToken: token }]);
});

test("a refused permission stores nothing and calls nothing", async () => {
  stubPush("denied");
  const seen = gateway();
  expect(await switchPushOn()).toBe("blocked");
  expect(seen).toEqual([]);
  expect(localStorage.getItem("fcmToken")).toBeNull();
});

test("a token that the server does not take is not kept", async () => {
  stubPush();
  gateway({ [TOKEN]: () => ({ statusCode: 400, statusMessage: "No.", payload: {} }) });
  await expect(switchPushOn()).rejects.toThrow("No.");
  expect(pushState()).toBe("off");
});

test("the token is given to the server again after 7 days, not before", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  stubPush();
  const seen = gateway();
  await switchPushOn();
  vi.setSystemTime(Date.now() + 6.9 * DAY_MS);
  saveSession(aSession());
  await refreshPush();
  expect(tokens(seen)).toHaveLength(1);
  vi.setSystemTime(Date.now() + 0.2 * DAY_MS);
  saveSession(aSession());
  await refreshPush();
  expect(tokens(seen)).toHaveLength(2);
});

test("the phone's next player takes the token over, and the server gets a new language", async () => {
  stubPush();
  const seen = gateway();
  await switchPushOn();
  saveSession(aSession({ uid: "p2" }));
  await refreshPush();
  expect(tokens(seen)).toHaveLength(2);
  storeLanguage("sw");
  await refreshPush();
  expect(tokens(seen)).toHaveLength(3);
});

test("a subscription for another key of the server is replaced", async () => {
  const push = stubPush();
  gateway();
  await switchPushOn();
  gateway({ [KEY]: () => ({ statusCode: 200, payload: { publicKey: "BAMD" } }) });
  await switchPushOn();
  expect(push.subscribe).toHaveBeenCalledTimes(2);
});

test("a failed refresh is logged only, and a withdrawn permission clears the token", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  const push = stubPush();
  gateway();
  await switchPushOn();
  saveSession(aSession({ uid: "p2" }));
  gateway({ [TOKEN]: () => new TypeError("Failed to fetch") });
  await refreshPush();
  expect(log).toHaveBeenCalledOnce();
  push.notification.permission = "denied";
  await refreshPush();
  expect(localStorage.getItem("fcmToken")).toBeNull();
  log.mockRestore();
});

test("the same player's next session registers the subscription again, because the server pushes for no ended one", async () => {
  stubPush();
  const seen = gateway();
  await switchPushOn();
  dropSession();
  // Each sign-in calls this.
  forgetPushRegistration();
  saveSession(aSession());
  await Promise.all([refreshPush(), refreshPush()]);
  expect(tokens(seen)).toHaveLength(2);
});

test("a subscription that the browser dropped is replaced at the next start", async () => {
  const push = stubPush();
  const seen = gateway();
  await switchPushOn();
  push.drop();
  await refreshPush();
  expect(push.subscribe).toHaveBeenCalledTimes(2);
  expect(tokens(seen)).toHaveLength(2);
  await refreshPush();
  expect(tokens(seen)).toHaveLength(2);
});

test("a token failure removes the token, asks again, and reloads the page on grant, which tries once more", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  const push = stubPush();
  const seen = gateway();
  const reload = vi.fn();
  await switchPushOn();
  push.drop();
  push.subscribe.mockRejectedValueOnce(new DOMException("push service error", "AbortError"));
  await refreshPush(reload);
  expect(localStorage.getItem("fcmToken")).toBeNull();
  expect(pushState()).toBe("off");
  expect(push.notification.requestPermission).toHaveBeenCalledTimes(2);
  expect(reload).toHaveBeenCalledOnce();
  await refreshPush(reload);
  expect(pushState()).toBe("on");
  expect(tokens(seen)).toHaveLength(2);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});

test("a token failure that lasts leaves push off, and a page that must not be interrupted stays", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  const push = stubPush();
  gateway();
  const reload = vi.fn();
  await switchPushOn();
  push.drop();
  push.subscribe.mockRejectedValue(new DOMException("push service error", "AbortError"));
  const release = holdUpdates();
  await refreshPush(reload);
  expect(reload).not.toHaveBeenCalled();
  release();
  for (const _ of [1, 2]) await refreshPush(reload);
  expect(reload).not.toHaveBeenCalled();
  expect(pushState()).toBe("off");
  log.mockRestore();
});

test("a token that the server refuses is not kept", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  stubPush();
  gateway();
  await switchPushOn();
  saveSession(aSession({ uid: "p2" }));
  gateway({ [TOKEN]: () => ({ statusCode: 400, statusMessage: "No.", payload: {} }) });
  await refreshPush();
  expect(pushState()).toBe("off");
  log.mockRestore();
});

test("switching off during a refresh stays off", async () => {
  const push = stubPush();
  gateway();
  await switchPushOn();
  saveSession(aSession({ uid: "p2" }));
  gateway({
    [TOKEN]: async () => {
      await switchPushOff();
      return { statusCode: 200 };
    },
  });
  await refreshPush();
  expect(pushState()).toBe("off");
  expect(push.subscription()).toBeNull();
});

test("switching off ends the subscription here and at the server, also when that cannot be reached", async () => {
  const push = stubPush();
  const seen = gateway({ [REMOVE]: () => new TypeError("Failed to fetch") });
  await switchPushOn();
  const token = localStorage.getItem("fcmToken");
  await switchPushOff();
  expect(push.subscription()).toBeNull();
  expect(pushState()).toBe("off");
  expect(seen.at(-1)).toMatchObject({ path: "/profile/device-token/remove", body: { deviceToken: token } });
});
