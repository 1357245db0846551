import { afterEach, expect, test, vi } from "vitest";
import { share } from "@/lib/share";

const shared = { title: "PlayOn", text: "Beat me", url: "https://playon.test/games/g1" };
const picture = new File(["x"], "playon.jpg", { type: "image/jpeg" });

function give(parts: Record<string, unknown>) {
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(navigator, name, { value, configurable: true });
}

afterEach(() => {
  for (const name of ["share", "canShare", "clipboard", "userActivation"])
    Reflect.deleteProperty(navigator, name);
});

test("the share sheet gets a picture where it takes one", async () => {
  const sheet = vi.fn(() => Promise.resolve());
  give({ share: sheet, canShare: () => true });
  expect(await share({ ...shared, picture })).toBe("shared");
  expect(sheet).toHaveBeenCalledExactlyOnceWith({ ...shared, files: [picture] });
});

test("a sheet that takes no files gets the text and the address", async () => {
  const sheet = vi.fn(() => Promise.resolve());
  for (const canShare of [undefined, () => false]) {
    give({ share: sheet, canShare });
    expect(await share({ ...shared, picture })).toBe("shared");
    expect(sheet).toHaveBeenLastCalledWith(shared);
  }
});

test("a sheet that the player closes copies nothing", async () => {
  const writeText = vi.fn();
  for (const reason of ["AbortError", "InvalidStateError"]) {
    const close = () => Promise.reject(new DOMException("closed", reason));
    give({ share: close, clipboard: { writeText } });
    expect(await share(shared)).toBe("closed");
  }
  expect(writeText).not.toHaveBeenCalled();
});

test("nothing is shared or copied without a tap", async () => {
  const [sheet, writeText] = [vi.fn(), vi.fn()];
  give({ share: sheet, clipboard: { writeText }, userActivation: { isActive: false } });
  expect(await share(shared)).toBe("failed");
  expect(sheet).not.toHaveBeenCalled();
  expect(writeText).not.toHaveBeenCalled();
});

test("without a sheet, or where it fails, the text is copied with the address", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  const fail = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  for (const sheet of [undefined, fail]) {
    give({ share: sheet, clipboard: { writeText } });
    expect(await share(shared)).toBe("copied");
    expect(writeText).toHaveBeenLastCalledWith(`${shared.text} ${shared.url}`);
  }
});

test("a browser that can do neither says so", async () => {
  give({ share: undefined, clipboard: undefined });
  expect(await share(shared)).toBe("failed");
});
