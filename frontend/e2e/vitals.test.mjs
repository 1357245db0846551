// Web vitals: what a phone measures of a page reaches the gateway when the player leaves it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, openPhone, PLAYON_URL, settle } from "./browser.mjs";

/** Keeps the bodies of beacons for the test, because the browser does not report them. */
function keepBeacons() {
  window.beacons = [];
  const send = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (url, body) => {
    window.beacons.push(body.text());
    return send(url, body);
  };
}

/** Waits until the browser has reported the first input and the page has had time to measure it. */
async function firstInputIsMeasured() {
  await new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "first-input", buffered: true });
  });
  await new Promise(requestIdleCallback);
}

/** Hides the page as a browser does when another app comes to the front. */
function leave() {
  Object.defineProperty(document, "visibilityState", { value: "hidden" });
  for (let times = 0; times < 2; times++)
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}

test("a page that was used sends its web vitals once, when the player leaves it", {
  timeout: 60_000,
}, async (t) => {
  const browser = await launch();
  t.after(() => browser.close());
  const { page } = await openPhone(browser);
  await page.addInitScript(keepBeacons);
  await page.goto(PLAYON_URL);
  await settle(page);
  // The service worker is ready when the measurements have begun. A click before that would leave out the largest
  // contentful paint, which ends at a click, or at the browser's own event of a hidden page, and not at that of leave().
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.getByRole("link", { name: "Get Started" }).click();
  await page.getByRole("heading", { name: "Play games you know" }).waitFor();
  await page.evaluate(firstInputIsMeasured);
  const reply = page.waitForResponse(`${PLAYON_URL}/api/rum`);
  await page.evaluate(leave);
  assert.equal((await reply).status(), 200);

  const [beacon, ...others] = await page.evaluate(() => Promise.all(window.beacons));
  assert.deepEqual(others, []);
  const vitals = JSON.parse(beacon);
  assert.deepEqual(Object.keys(vitals).sort(), ["cls", "fcp", "fid", "inp", "lcp", "ttfb"]);
  for (const [name, value] of Object.entries(vitals))
    assert.ok(Number.isInteger(value) && value >= 0, `${name} is ${value}`);
});
