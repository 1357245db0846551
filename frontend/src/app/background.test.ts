import { afterEach, expect, test, vi } from "vitest";
// Import the screens before the test, because a first import can take longer than the test waits.
import "@/app/screens";
import "@/features/push/foreground";
import * as i18n from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { stubPush, unstubPush } from "@/test/push";
import { startBackground } from "./background";

afterEach(unstubPush);

const push = { id: "n-1", title: "Money in your wallet", body: "Your top-up is in.", url: "/account/wallet" };

test.each([
  ["controls", {}, 1],
  ["does not control yet", null, 0],
])("a page that a worker %s shows pushes", async (_how, controller, timesTextsAreKept) => {
  const browser = stubPush();
  Object.assign(navigator.serviceWorker, { controller });
  const keepTexts = vi.spyOn(i18n, "loadTexts").mockResolvedValue();
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  await startBackground(() => {});
  expect(browser.receive({ type: "PUSHED", push })).toEqual(["shown"]);
  expect(info).toHaveBeenCalledOnce();
  // Without a controller nothing would be cached.
  expect(keepTexts).toHaveBeenCalledTimes(timesTextsAreKept);
});
