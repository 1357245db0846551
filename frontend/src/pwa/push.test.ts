import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handlePushes } from "./push";

const showNotification = vi.fn(async () => {});
const subscribe = vi.fn(async () => ({}));
const openWindow = vi.fn(async () => null);
let windows: unknown[] = [];
/** Windows that no worker controls: those of a first visit, and after a hard reload. */
let uncontrolled: unknown[] = [];

class Worker extends EventTarget {
  location = { origin: "https://playon.example" };
  registration = { showNotification, pushManager: { subscribe } };
  clients = {
    matchAll: async ({ includeUncontrolled = false }) =>
      includeUncontrolled ? [...windows, ...uncontrolled] : windows,
    openWindow,
  };
}

let worker: Worker;

beforeEach(() => {
  windows = [];
  uncontrolled = [];
  showNotification.mockClear();
  openWindow.mockClear();
  subscribe.mockClear();
  worker = new Worker();
  handlePushes(worker as never);
});
afterEach(() => void vi.useRealTimers());

/** Dispatches an event, and waits for the promises that extend it. */
async function dispatch(name: string, content: object): Promise<void> {
  const extended: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => extended.push(work);
  worker.dispatchEvent(Object.assign(new Event(name), { waitUntil, ...content }));
  await Promise.all(extended);
}

const message = { id: "n-1", title: "The results are in", body: "Place 4 of 212.", url: "/tournaments" };
const pushed = (json: unknown) => dispatch("push", { data: { json: () => json } });
const pressed = (url: unknown) =>
  dispatch("notificationclick", { notification: { close: () => {}, data: { url } } });

function aWindow(visibilityState: string, answers: boolean) {
  const received: unknown[] = [];
  const client = {
    visibilityState,
    received,
    postMessage(data: unknown, ports: MessagePort[] = []) {
      received.push(data);
      if (answers) ports[0]?.postMessage("shown");
    },
    focus: vi.fn(async () => client),
  };
  return client;
}

test("a push is a notification of the system while no window is visible", async () => {
  windows = [aWindow("hidden", true)];
  await pushed(message);
  expect(showNotification).toHaveBeenCalledExactlyOnceWith(
    "The results are in",
    expect.objectContaining({ body: "Place 4 of 212.", tag: "n-1", data: { url: "/tournaments" } }),
  );
});

test("a visible window shows it instead", async () => {
  const visible = aWindow("visible", true);
  windows = [aWindow("hidden", true), visible];
  await pushed(message);
  expect(visible.received).toEqual([{ type: "PUSHED", push: message }]);
  expect(showNotification).not.toHaveBeenCalled();
});

test("a visible window that does not answer leaves it to the system", async () => {
  windows = [aWindow("visible", false)];
  await pushed(message);
  expect(showNotification).toHaveBeenCalledOnce();
});

test("the next visible window shows it when the first does not answer", async () => {
  const visible = [aWindow("visible", false), aWindow("visible", true), aWindow("visible", true)];
  windows = visible;
  await pushed(message);
  expect(visible.map(({ received }) => received.length)).toEqual([1, 1, 0]);
  expect(showNotification).not.toHaveBeenCalled();
});

test("a window of a first visit, which no worker controls, shows the push and is focused by a press", async () => {
  const first = aWindow("visible", true);
  uncontrolled = [first];
  await pushed(message);
  expect(showNotification).not.toHaveBeenCalled();
  await pressed("/account/wallet");
  expect(first.focus).toHaveBeenCalledOnce();
  expect(openWindow).not.toHaveBeenCalled();
});

test("a push that cannot be read is announced without its content", async () => {
  await dispatch("push", { data: null });
  await pushed({ title: 7 });
  expect(showNotification).toHaveBeenCalledTimes(2);
  expect(showNotification).toHaveBeenCalledWith(
    "PlayOn",
    expect.objectContaining({ data: { url: "/notifications" } }),
  );
});

test("a subscription that the browser drops is made again, and every window is told", async () => {
  const open = [aWindow("visible", true), aWindow("hidden", true)];
  windows = open;
  const options = { userVisibleOnly: true, applicationServerKey: new ArrayBuffer(65) };
  await dispatch("pushsubscriptionchange", { oldSubscription: { options }, newSubscription: null });
  expect(subscribe).toHaveBeenCalledExactlyOnceWith(options);
  await dispatch("pushsubscriptionchange", { oldSubscription: { options }, newSubscription: {} });
  await dispatch("pushsubscriptionchange", { oldSubscription: null, newSubscription: null });
  expect(subscribe).toHaveBeenCalledOnce();
  for (const { received } of open) expect(received).toEqual(Array(3).fill({ type: "SUBSCRIPTION_CHANGED" }));
});

test("a press opens one window at the right place, or focuses the open one", async () => {
  await pressed("/account/wallet");
  expect(openWindow).toHaveBeenCalledExactlyOnceWith("/account/wallet");
  const open = aWindow("hidden", true);
  windows = [open, aWindow("hidden", true)];
  await pressed("/account/wallet");
  expect(open.focus).toHaveBeenCalledOnce();
  expect(open.received).toEqual([{ type: "OPEN", url: "/account/wallet" }]);
  expect(openWindow).toHaveBeenCalledOnce();
});

test.each(["https://evil.example/x", "//evil.example", 7, undefined])(
  "%s never leaves the app",
  async (url) => {
    await pressed(url);
    expect(openWindow).toHaveBeenCalledExactlyOnceWith("/notifications");
  },
);
