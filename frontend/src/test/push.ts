import { vi } from "vitest";

/** Stubs a browser that can subscribe, with the player's answer to the permission request. */
export function stubPush(permission: NotificationPermission = "granted", supported = true) {
  let subscription: { endpoint: string; options: object; unsubscribe: () => Promise<boolean> } | null = null;
  const worker = new EventTarget();
  const subscribe = vi.fn(async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
    subscription = {
      endpoint: "https://fcm.googleapis.com/fcm/send/x",
      options: { applicationServerKey: applicationServerKey.buffer },
      unsubscribe: async () => {
        subscription = null;
        return true;
      },
    };
    return subscription;
  });
  const pushManager = { getSubscription: async () => subscription, subscribe };
  Object.assign(worker, { ready: Promise.resolve({ pushManager }), controller: {} });
  const notification = {
    permission: permission === "granted" ? ("default" as NotificationPermission) : permission,
    requestPermission: vi.fn(async () => {
      notification.permission = permission;
      return permission;
    }),
  };
  Object.defineProperty(navigator, "serviceWorker", { value: worker, configurable: true });
  if (supported) vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", notification);
  return {
    notification,
    subscribe,
    subscription: () => subscription,
    /** Simulates the browser dropping the subscription, as it may at any time. */
    drop(): void {
      subscription = null;
    },
    /** Delivers a message from the service worker to this window; returns the window's answer. */
    receive(data: unknown): string[] {
      const answers: string[] = [];
      const ports = [{ postMessage: (answer: string) => answers.push(answer) }];
      worker.dispatchEvent(Object.assign(new Event("message"), { data, ports }));
      return answers;
    },
  };
}

/** Ends the stub of the service worker, which `vi.unstubAllGlobals` does not cover. */
export function unstubPush(): void {
  Reflect.deleteProperty(navigator, "serviceWorker");
  vi.unstubAllGlobals();
}
