// Notifications: one that arrives on one device shows on the other, and is read on both.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer, signIn, topUpHundred } from "./players.mjs";
import { scriptHandset } from "./sandbox.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const tabOf = (page, name) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

test("a top-up is announced live on another device, once, and read on both", async () => {
  const player = newPlayer();
  await scriptHandset(player.msisdn, { stk: "approve" });
  const [phone, other] = [await openPhone(browser), await openPhone(browser, "light")];
  await createPlayer(phone.page, player);

  await tabOf(phone.page, "Notifications").click();
  await phone.page.getByText("No Notifications Yet").waitFor();
  await screenshot(phone.page, "notifications-1-empty");
  // A notification that this phone shows for a moment is read on both.
  await tabOf(phone.page, "Home").click();
  await phone.page.getByRole("heading", { name: "Hi Wanjiru" }).waitFor();

  await signIn(other.page, player);
  await other.page.getByRole("heading", { name: "Hi Wanjiru" }).waitFor();
  // The first notification is of this sign-in. It is read before the top-up.
  await tabOf(other.page, "Notifications 1 unread").click();
  await other.page.getByText("Your account was opened on a new device.").waitFor();
  await tabOf(other.page, "Notifications").waitFor();
  await tabOf(other.page, "Home").click();

  await phone.page.goto(`${PLAYON_URL}/account/wallet`);
  await topUpHundred(phone.page, player, "notifications");
  // The badge appears without a reload.
  await tabOf(other.page, "Notifications 1 unread").waitFor();
  await screenshot(other.page, "notifications-2-badge");

  await tabOf(other.page, "Notifications 1 unread").click();
  await other.page.getByText("Your top-up of KES 100.00 is in. Time to play!").waitFor();
  await other.page.getByRole("img", { name: "New" }).waitFor();
  await screenshot(other.page, "notifications-3-list");
  // The notification was on the screen long enough: its mark stays here, and the number disappears on both devices.
  await tabOf(other.page, "Notifications").waitFor();
  assert.equal(await other.page.getByRole("img", { name: "New" }).count(), 1);
  await phone.page.goto(`${PLAYON_URL}/notifications`);
  await phone.page.getByText("Your top-up of KES 100.00 is in. Time to play!").waitFor();
  assert.equal(await phone.page.getByRole("img", { name: "New" }).count(), 0);
  assert.equal(await phone.page.getByRole("link", { name: /Money in your wallet/ }).count(), 1);
  await phone.page.getByRole("link", { name: /Money in your wallet/ }).click();
  await phone.page.getByRole("heading", { name: "Wallet" }).waitFor();

  assert.deepEqual([...phone.errors, ...other.errors], []);
  await Promise.all([phone.context.close(), other.context.close()]);
});
