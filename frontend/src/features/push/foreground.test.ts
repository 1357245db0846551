import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
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
  resume = async () => {};
  suspend = async () => {};
}

beforeEach(() => {
  started.mockReset();
  vi.stubGlobal("AudioContext", FakeAudio);
});
afterEach(unstubPush);

const watch = (...window: Parameters<typeof watchPushes>) => onTestFinished(watchPushes(...window));
const push = { id: "n-1", title: "Money in your wallet", body: "Your top-up is in.", url: "/account/wallet" };

test("a push shows a toast of 3 s with its title and text, and a sound; a press leads on", async () => {
  const browser = stubPush();
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  const open = vi.fn();
  watch({ open, showsToasts: () => true });
  expect(browser.receive({ type: "PUSHED", push })).toEqual(["shown"]);
  const [text, options] = info.mock.calls[0] ?? [];
  expect(text).toBe("Money in your wallet\nYour top-up is in.");
  expect(options?.closeAfterMs).toBe(3_000);
  await eventually(() => expect(started).toHaveBeenCalledTimes(2));
  options?.onClick?.();
  expect(open).toHaveBeenCalledExactlyOnceWith("/account/wallet");
});

test("a push while a game is open is left to the system", () => {
  const browser = stubPush();
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  watch({ open: vi.fn(), showsToasts: () => false });
  expect(browser.receive({ type: "PUSHED", push })).toEqual([]);
  expect(info).not.toHaveBeenCalled();
  expect(started).not.toHaveBeenCalled();
});

test("a push that is delivered twice is shown once, and answered both times", async () => {
  const browser = stubPush();
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  watch({ open: vi.fn(), showsToasts: () => true });
  for (const _ of [1, 2]) expect(browser.receive({ type: "PUSHED", push })).toEqual(["shown"]);
  expect(info).toHaveBeenCalledOnce();
  await eventually(() => expect(started).toHaveBeenCalledTimes(2));
  expect(browser.receive({ type: "PUSHED", push: { ...push, id: "n-2" } })).toEqual(["shown"]);
  expect(info).toHaveBeenCalledTimes(2);
});

test("a pressed notification opens its page here; other messages do nothing", () => {
  const browser = stubPush();
  const open = vi.fn();
  watch({ open, showsToasts: () => true });
  browser.receive({ type: "OPEN", url: "/tournaments" });
  for (const other of [null, "x", { type: "SKIP_WAITING" }, { type: "PUSHED", push: {} }]) {
    expect(browser.receive(other)).toEqual([]);
  }
  expect(open).toHaveBeenCalledExactlyOnceWith("/tournaments");
});

test("a subscription that changed is given to the server", async () => {
  const browser = stubPush();
  const refresh = vi.spyOn(subscription, "refreshPush").mockResolvedValue();
  watch({ open: vi.fn(), showsToasts: () => true });
  refresh.mockClear();
  browser.receive({ type: "SUBSCRIPTION_CHANGED" });
  expect(refresh).toHaveBeenCalledOnce();
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""])(
  "%s opens the notifications instead",
  (url) => expect(pathIn(url)).toBe("/notifications"),
);
