// Live updates: one stream a tab, whatever screens are open.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer, topUpHundred } from "./players.mjs";
import { eventually, scriptHandset, typePin } from "./sandbox.mjs";

const PAYMENT_MS = 30_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Counts the live streams of a page, by the requests that carry them. Call it before the page is opened. */
async function countStreams(page) {
  await page.addInitScript(() => {
    const streams = { now: 0, most: 0, total: 0 };
    window.streams = streams;
    const { open, send } = XMLHttpRequest.prototype;
    const urls = new WeakMap();
    XMLHttpRequest.prototype.open = function (...how) {
      urls.set(this, String(how[1]));
      return open.apply(this, how);
    };
    XMLHttpRequest.prototype.send = function (...what) {
      if (urls.get(this)?.includes("LiveService/Subscribe")) {
        streams.total += 1;
        streams.now += 1;
        streams.most = Math.max(streams.most, streams.now);
        this.addEventListener("loadend", () => {
          streams.now -= 1;
        });
      }
      return send.apply(this, what);
    };
  });
  return () => page.evaluate(() => window.streams);
}

test("two open payments and their screens share one stream, which ends with them", async () => {
  const player = newPlayer();
  const other = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  for (const { msisdn } of [player, other]) await scriptHandset(msisdn, { stk: "manual" });
  await createPlayer(page, player);
  const streams = await countStreams(page);

  await page.goto(`${PLAYON_URL}/account/wallet`);
  await topUpHundred(page, player, "live-1");
  await eventually("the waiting screen's stream", async () => (await streams()).now === 1);
  await page.getByRole("button", { name: "Cancel" }).click();
  const rows = page.getByRole("link", { name: /^KES 100\.00 on its way/ });
  await rows.first().waitFor();
  assert.equal((await streams()).total, 1, "the wallet goes on with the stream of the waiting screen");

  // The second payment's prompt goes to another phone.
  await topUpHundred(page, { ...player, phone: other.phone }, "live-2");
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN/ }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await eventually("both payments in the wallet", async () => (await rows.count()) === 2);
  await eventually("one stream for both", async () => (await streams()).now === 1);
  await screenshot(page, "live-two-payments");

  // A hidden tab closes the stream, and opens it again when it is shown.
  await page.clock.install();
  const setVisibility = (state) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await setVisibility("hidden");
  await page.clock.fastForward(61_000);
  await eventually("no stream while hidden", async () => (await streams()).now === 0);
  await setVisibility("visible");
  await eventually("the stream again", async () => (await streams()).now === 1);

  await typePin(player.msisdn, "1234");
  await typePin(other.msisdn, "1234");
  await page.getByTestId("balance").getByText("200.00").waitFor({ timeout: PAYMENT_MS });
  await rows.first().waitFor({ state: "hidden" });
  await page.clock.fastForward(10_000);
  await eventually("no stream without a topic", async () => (await streams()).now === 0);
  assert.equal((await streams()).most, 1, "never more than one stream at once");
  assert.deepEqual(errors, []);
  await context.close();
});
