import { createMemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showQueuedToast, toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { watchConnectivity } from "./connectivity";

const reload = vi.fn();
let router: ReturnType<typeof createMemoryRouter>;

function serverAnswers(ok: boolean): void {
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    expect([init.method, url]).toEqual(["HEAD", "/api/auth/login"]);
    if (!ok) throw new TypeError("Failed to fetch");
    return new Response(null, { status: 200 });
  });
}

const here = () => router.state.location.pathname;

beforeEach(() => {
  reload.mockReset();
  vi.spyOn(toast, "warning").mockImplementation(() => {});
  vi.spyOn(toast, "success").mockImplementation(() => {});
  router = createMemoryRouter([{ path: "*", element: null }], { initialEntries: ["/account"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

// The listeners are added once for the whole file, because window outlives a test.
const follow = (() => {
  let following = false;
  return () => {
    if (following) return;
    following = true;
    const current = new Proxy({} as typeof router, {
      get: (_target, key: keyof typeof router) => router[key],
    });
    watchConnectivity(current, reload);
  };
})();

test("going offline shows a warning and the offline screen", async () => {
  follow();
  window.dispatchEvent(new Event("offline"));
  await eventually(() => expect(here()).toBe("/no-internet"));
  expect(toast.warning).toHaveBeenCalledWith("You are now offline");
});

test("a game goes on without a network, and is not loaded again when it is back", async () => {
  follow();
  serverAnswers(true);
  await router.navigate("/games/g1/play");
  for (const event of ["offline", "online"]) window.dispatchEvent(new Event(event));
  await new Promise((resolve) => setTimeout(resolve));
  expect(here()).toBe("/games/g1/play");
  expect(toast.warning).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
});

test("coming back online goes back, reloads, and shows a toast after the reload", async () => {
  follow();
  serverAnswers(true);
  window.dispatchEvent(new Event("offline"));
  await eventually(() => expect(here()).toBe("/no-internet"));
  window.dispatchEvent(new Event("online"));
  await eventually(() => expect(reload).toHaveBeenCalledOnce());
  expect(here()).toBe("/account");
  showQueuedToast();
  expect(toast.success).toHaveBeenCalledWith("You are back online");
});

test("going online without a reachable server shows the offline screen", async () => {
  follow();
  serverAnswers(false);
  window.dispatchEvent(new Event("online"));
  await eventually(() => expect(here()).toBe("/no-internet"));
  expect(reload).not.toHaveBeenCalled();
});
