import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { registerServiceWorker } from "./register";

const register = vi.fn(async () => ({}));
const unregister = vi.fn(async () => true);

beforeEach(() => {
  vi.stubGlobal("navigator", {
    userAgent: navigator.userAgent,
    serviceWorker: Object.assign(new EventTarget(), {
      register,
      controller: null,
      ready: new Promise(() => {}),
      getRegistration: async () => ({ unregister }),
    }),
  });
  register.mockClear();
  unregister.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

const script = (status: number, type: string) =>
  vi.stubGlobal("fetch", async () => new Response("", { status, headers: { "content-type": type } }));

test.each([
  [404, "text/plain"],
  [200, "text/html"],
])("on localhost a script that answers %i as %s removes the worker and reloads", async (status, type) => {
  script(status, type);
  const reload = vi.fn();
  await registerServiceWorker(reload);
  expect(unregister).toHaveBeenCalledOnce();
  expect(reload).toHaveBeenCalledOnce();
  expect(register).not.toHaveBeenCalled();
});

test("being offline is logged, and the worker stays", async () => {
  const log = vi.spyOn(console, "info").mockImplementation(() => {});
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await registerServiceWorker(vi.fn());
  expect(log).toHaveBeenCalledOnce();
  expect(unregister).not.toHaveBeenCalled();
});
