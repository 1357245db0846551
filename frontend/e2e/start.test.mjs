// The start of the app where something is missing: its code, or the browser's storage.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, refuseStorage, screenshot } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a page whose code does not start says what to do, in both languages", async () => {
  const { page } = await openPhone(browser, "light");
  await page.route("**/assets/start-*.js", (route) => route.abort());
  await page.goto(PLAYON_URL);
  const sentence = page.getByText("update your browser");
  assert.equal(await sentence.isVisible(), false);
  // Styles show the sentence after 30 s.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await sentence.waitFor();
  await page.getByText("sasisha kivinjari chako").waitFor();
  await screenshot(page, "start-01-failed");
});

test("a player whose browser stores nothing learns it", async () => {
  const { page, errors } = await openPhone(browser);
  await page.addInitScript(refuseStorage);
  await page.goto(PLAYON_URL);
  await page.getByText("Your browser cannot store anything for PlayOn now.").waitFor();
  await screenshot(page, "start-02-storage");
  assert.deepEqual(errors, []);
});
