// Web Push: switched on by a press, delivered through the sandbox's push service, and opened at its page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer, topUpHundred } from "./players.mjs";
import { deliver, subscribeAtTheSandbox } from "./pushes.mjs";
import { pushedTo, scriptHandset } from "./sandbox.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Waits for the code that shows the toast, because it loads after the screen. */
async function listens(page) {
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/foreground-")),
  );
}

test("a push is a toast in the visit that installs the service worker, once, though it is delivered twice", async () => {
  const { context, page, errors } = await openPhone(browser);
  await context.grantPermissions(["notifications"], { origin: PLAYON_URL });
  await page.goto(`${PLAYON_URL}/login`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await listens(page);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
  const message = { id: "n-1", title: "Money in your wallet", body: "It is in.", url: "/account/wallet" };
  const toast = page.getByRole("alert").filter({ hasText: message.title });
  await deliver(page, message);
  await toast.waitFor();
  await toast.waitFor({ state: "hidden" });
  await deliver(page, message);
  // Wait longer than the service worker waits for an answer.
  await page.waitForTimeout(1_500);
  assert.equal(await toast.count(), 0);
  const shown = await page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title }) => title),
  );
  assert.deepEqual(shown, []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a top-up is pushed once, shown as a toast in the open app, and muted in the settings", async () => {
  const player = newPlayer();
  await scriptHandset(player.msisdn, { stk: "approve" });
  const phone = await openPhone(browser);
  const { page } = phone;
  await phone.context.grantPermissions(["notifications"], { origin: PLAYON_URL });
  const id = await subscribeAtTheSandbox(page);
  await createPlayer(page, player);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto(`${PLAYON_URL}/account/notifications`);
  const here = page.getByRole("switch", { name: "On this phone" });
  assert.equal(await here.isChecked(), false);
  await here.click();
  await page.getByText("This phone gets your notifications.").waitFor();
  await screenshot(page, "push-1-settings");
  assert.ok(await page.evaluate(() => localStorage.getItem("fcmToken")));

  await page.goto(`${PLAYON_URL}/account/wallet`);
  await topUpHundred(page, player, "push");
  const pushed = await pushedTo(id);
  assert.equal(pushed.message.title, "Money in your wallet");
  assert.equal(pushed.message.url, "/account/wallet");

  await page.goto(`${PLAYON_URL}/tournaments`);
  await listens(page);
  await deliver(page, pushed.message);
  const toast = page.getByRole("alert").filter({ hasText: "Money in your wallet" });
  await toast.waitFor();
  await screenshot(page, "push-2-toast");
  await toast.click();
  await page.getByRole("heading", { name: "Wallet" }).waitFor();

  await page.goto(`${PLAYON_URL}/account/notifications`);
  await page.getByRole("switch", { name: "Quiet hours" }).click();
  await page.getByLabel("From", { exact: true }).waitFor();
  // The saves run one after the other, so the first reply may be that of the quiet hours.
  const saved = page.waitForResponse(
    (reply) =>
      reply.url().endsWith("/api/profile/notification-settings") &&
      reply.request().postDataJSON()?.muted.includes("MONEY"),
  );
  await page.getByRole("switch", { name: "Top-ups and withdrawals" }).click();
  await saved;
  await page.reload();
  await page.getByRole("switch", { name: "Quiet hours" }).waitFor();
  assert.equal(await page.getByRole("switch", { name: "Top-ups and withdrawals" }).isChecked(), false);
  assert.equal(await page.getByLabel("From", { exact: true }).inputValue(), "22:00");
  await screenshot(page, "push-3-muted");
  assert.deepEqual(phone.errors, []);
  await phone.context.close();
});
