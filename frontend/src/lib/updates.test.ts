import { afterEach, expect, test, vi } from "vitest";
import { areUpdatesHeld, holdUpdates, updateUnlessHeld } from "./updates";

afterEach(() => vi.unstubAllGlobals());

test("an update runs only while nothing in this tab keeps it away", async () => {
  const update = vi.fn();
  const [first, second] = [holdUpdates(), holdUpdates()];
  first();
  first();
  expect(areUpdatesHeld()).toBe(true);
  expect(await updateUnlessHeld(update)).toBe(false);
  second();
  expect(await updateUnlessHeld(update)).toBe(true);
  expect(update).toHaveBeenCalledOnce();
});

test("an update does not run while another tab keeps it away", async () => {
  const update = vi.fn();
  const request = vi.fn((_name: string, _options: LockOptions, run: (lock: Lock | null) => unknown) =>
    run(null),
  );
  vi.stubGlobal("navigator", { ...navigator, locks: { request } });
  expect(await updateUnlessHeld(update)).toBe(false);
  expect(request.mock.calls[0]?.[1]).toEqual({ mode: "exclusive", ifAvailable: true });
  expect(update).not.toHaveBeenCalled();
});
