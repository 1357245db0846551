import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toast } from "@/lib/toast";
import { stubPush, unstubPush } from "@/test/push";
import { watchPushes } from "./foreground";
import { pathIn } from "./messages";
import * as subscription from "./subscription";

const started = vi.fn();
class Param {
  setValueAtTime() {}
  exponentialRampToValueAtTime() {}
}
class FakeAudio {
  currentTime = 0;
  destination = {};
  createGain = () => ({ gain: new Param(), connect: () => ({}) });
  createOscillator = () => ({
    frequency: {},
    connect: (to: { connect: () => object }) => to,
    start: started,
    stop: () => {},
  });
  close = async () => {};
}

beforeEach(() => {
  started.mockReset();
  vi.stubGlobal("AudioContext", FakeAudio);
});
afterEach(unstubPush);

const push = { id: "n-1", title: "Money in your wallet", body: "Your top-up is in.", url: "/account/wallet" };

test("a push shows a toast of 3 s with its title and text, and a sound; a press leads on", () => {
  const browser = stubPush();
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  const open = vi.fn();
  watchPushes(open);
  expect(browser.receive({ type: "PUSHED", push })).toEqual(["shown"]);
  const [text, options] = info.mock.calls[0] ?? [];
  expect(text).toBe("Money in your wallet\nYour top-up is in.");
  expect(options?.closeAfterMs).toBe(3_000);
  expect(started).toHaveBeenCalledTimes(2);
  options?.onClick?.();
  expect(open).toHaveBeenCalledExactlyOnceWith("/account/wallet");
});

test("a push that is delivered twice is shown once, and answered both times", () => {
  const browser = stubPush();
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  watchPushes(vi.fn());
  for (const _ of [1, 2]) expect(browser.receive({ type: "PUSHED", push })).toEqual(["shown"]);
  expect(info).toHaveBeenCalledOnce();
  expect(started).toHaveBeenCalledTimes(2);
  expect(browser.receive({ type: "PUSHED", push: { ...push, id: "n-2" } })).toEqual(["shown"]);
  expect(info).toHaveBeenCalledTimes(2);
});

test("a pressed notification opens its page here; other messages do nothing", () => {
  const browser = stubPush();
  const open = vi.fn();
  watchPushes(open);
  browser.receive({ type: "OPEN", url: "/tournaments" });
  for (const other of [null, "x", { type: "SKIP_WAITING" }, { type: "PUSHED", push: {} }]) {
    expect(browser.receive(other)).toEqual([]);
  }
  expect(open).toHaveBeenCalledExactlyOnceWith("/tournaments");
});

test("a subscription that changed is given to the server", async () => {
  const browser = stubPush();
  const refresh = vi.spyOn(subscription, "refreshPush").mockResolvedValue();
  watchPushes(vi.fn());
  refresh.mockClear();
  browser.receive({ type: "SUBSCRIPTION_CHANGED" });
  expect(refresh).toHaveBeenCalledOnce();
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""])(
  "%s opens the notifications instead",
  (url) => expect(pathIn(url)).toBe("/notifications"),
);
