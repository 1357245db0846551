import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "@/test/eventually";
import { currentOffers, offer } from "./offers";
import { registerServiceWorker } from "./register";

/** A registration whose workers the test installs and removes. */
class Registration extends EventTarget {
  installing: EventTarget | null = null;
  waiting: EventTarget | null = null;
  active: EventTarget | null = new EventTarget();

  find(): void {
    this.installing = new EventTarget();
    this.dispatchEvent(new Event("updatefound"));
  }

  end(isInstalled: boolean): void {
    const worker = this.installing;
    this.installing = null;
    if (isInstalled) this.waiting = worker;
    worker?.dispatchEvent(new Event("statechange"));
  }
}

let registration: Registration;
const register = vi.fn(async () => registration);
const unregister = vi.fn(async () => true);

beforeEach(() => {
  registration = new Registration();
  offer({ update: null });
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

test("a version is offered once it waits, also when the browser has dropped the update before it", async () => {
  script(200, "text/javascript");
  await registerServiceWorker(vi.fn());
  registration.find();
  registration.end(false);
  expect(currentOffers().update).toBeNull();
  registration.find();
  expect(currentOffers().update).toBeNull();
  registration.end(true);
  expect(currentOffers().update).not.toBeNull();
});

test("the first version of a browser is not offered while it waits for its activation", async () => {
  script(200, "text/javascript");
  registration.active = null;
  await registerServiceWorker(vi.fn());
  registration.find();
  registration.end(true);
  expect(registration.waiting).not.toBeNull();
  expect(currentOffers().update).toBeNull();
});

test("a version that waits already is offered at once", async () => {
  script(200, "text/javascript");
  registration.waiting = new EventTarget();
  await registerServiceWorker(vi.fn());
  await eventually(() => expect(currentOffers().update).not.toBeNull());
});

test("an accepted version reloads a page that no worker controls, once", async () => {
  script(200, "text/javascript");
  const worker = Object.assign(new EventTarget(), { state: "installed", postMessage: vi.fn() });
  registration.waiting = worker;
  const reload = vi.fn();
  await registerServiceWorker(reload);
  await currentOffers().update?.();
  expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith({ type: "SKIP_WAITING" });
  expect(reload).not.toHaveBeenCalled();
  worker.state = "activated";
  worker.dispatchEvent(new Event("statechange"));
  worker.dispatchEvent(new Event("statechange"));
  expect(reload).toHaveBeenCalledOnce();
});
