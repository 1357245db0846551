import { afterEach, expect, it, vi } from "vitest";
import { AppFrame } from "../appFrame";

const ORIGIN = "https://playon.test";

/** A window whose parent is the app's. Returns what the game says to the app, and a way to answer. */
function inside() {
  const said: [unknown, string][] = [];
  const listeners = new Set<(message: object) => void>();
  const parent = { postMessage: (message: unknown, origin: string) => void said.push([message, origin]) };
  vi.stubGlobal("window", {
    parent,
    addEventListener: (_: string, listener: (message: object) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (message: object) => void) => listeners.delete(listener),
  });
  const hear = (message: object) => {
    for (const listener of listeners) listener({ source: parent, origin: ORIGIN, ...message });
  };
  return { said, hear, listeners };
}

afterEach(() => void vi.unstubAllGlobals());

it("leaves a game alone that has the window for itself", async () => {
  const own = { parent: null as unknown };
  own.parent = own;
  vi.stubGlobal("window", own);
  expect(await AppFrame.open(ORIGIN)).toBeNull();
});

it("gets what the app keeps, and keeps there what changes", async () => {
  const { said, hear, listeners } = inside();
  const opening = AppFrame.open(ORIGIN);
  hear({ data: { playon: "opened", kept: { best: "12" } } });
  const app = await opening;
  expect(listeners.size).toBe(1);
  expect(app?.kept.getItem("best")).toBe("12");
  app?.kept.setItem("best", "13");
  app?.kept.removeItem("run");
  app?.over();
  app?.share(12, null);
  app?.leave(`${ORIGIN}/games/g1`);
  expect(app?.kept.getItem("best")).toBe("13");
  expect(said).toEqual([
    [{ playon: "open" }, ORIGIN],
    [{ playon: "keep", key: "best", text: "13" }, ORIGIN],
    [{ playon: "keep", key: "run", text: null }, ORIGIN],
    [{ playon: "over" }, ORIGIN],
    [{ playon: "share", points: 12, picture: null }, ORIGIN],
    [{ playon: "leave", url: `${ORIGIN}/games/g1` }, ORIGIN],
  ]);
});

it("hears of Back, and of what another window keeps", async () => {
  const { hear } = inside();
  const opening = AppFrame.open(ORIGIN);
  hear({ data: { playon: "opened", kept: { best: "12", run: "r1" } } });
  const app = await opening;
  if (!app) throw new Error("no app");
  const back = vi.fn();
  app.onBack = back;
  hear({ data: { playon: "kept", key: "best", text: "13" } });
  hear({ data: { playon: "kept", key: "run", text: null } });
  hear({ data: { playon: "kept", key: "best", text: "99" }, origin: "https://evil.test" });
  expect([app.kept.getItem("best"), app.kept.getItem("run")]).toEqual(["13", null]);
  expect(back).not.toHaveBeenCalled();
  hear({ data: { playon: "back" } });
  expect(back).toHaveBeenCalledOnce();
});

it("hears nobody but the app", async () => {
  const { hear } = inside();
  const opened = vi.fn();
  void AppFrame.open(ORIGIN).then(opened);
  const data = { playon: "opened", kept: {} };
  hear({ data, source: {} });
  hear({ data, origin: "https://evil.test" });
  hear({ data: { playon: "closed" } });
  hear({ data: null });
  await Promise.resolve();
  expect(opened).not.toHaveBeenCalled();
});
