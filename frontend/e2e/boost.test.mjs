// Boosts that are paid from outside the wallet, and a boost whose draft has lost its friend.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { chooseFriend, openCardPage, openWallet, PAYMENT_MS, payByCard, reviewAmount } from "./payments.mjs";
import { chooseMethod, createPlayer, newPlayer } from "./players.mjs";
import { scriptHandset, typePin } from "./sandbox.mjs";

const friend = { ...newPlayer(), name: "Amina Khalid" };
const payer = newPlayer();

let browser;
let friendsPhone;
let phone;
before(async () => {
  browser = await launch();
  friendsPhone = await openPhone(browser);
  await createPlayer(friendsPhone.page, friend);
  phone = await openPhone(browser);
  await createPlayer(phone.page, payer);
});
after(() => browser?.close());

/** Goes from home to the review of a boost for the friend. */
async function toReview(page, shillings) {
  await openWallet(page);
  await chooseFriend(page, friend);
  await reviewAmount(page, shillings);
}

/** Expects the thanks for a boost, and then its row in the payer's history; the payer's own balance stays. */
async function expectBoosted(page, amount, prefix) {
  await page.getByRole("heading", { name: "Yeah, friend boosted!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByText(`You just boosted your friend kes ${amount}. That's what friends are for!`).waitFor();
  await page.getByText(`KES ${amount}`, { exact: true }).waitFor();
  await screenshot(page, `${prefix}-completion`);
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("0.00").waitFor();
  await page.getByRole("button", { name: new RegExp(`Boost a friend.*−KES ${amount}`) }).click();
  const receipt = page.getByLabel("Receipt");
  await receipt.getByText("Receipt number").waitFor();
  await receipt.getByText(`@${friend.username}`).waitFor();
  await screenshot(page, `${prefix}-receipt`);
}

/** Expects the boost's row in the friend's history. */
async function expectReceived(amount) {
  const { page } = friendsPhone;
  await openWallet(page);
  await page
    .getByRole("button", { name: new RegExp(`Boost received.*@${payer.username}.*\\+KES ${amount}`) })
    .waitFor();
}

test("a player boosts a friend by M-Pesa, finds it in the history, and the friend has the money", async () => {
  const { page, errors } = phone;
  await scriptHandset(payer.msisdn, { stk: "manual" });
  await toReview(page, "50");
  await chooseMethod(page, /m-?pesa/i);
  await page.getByText(`The PlayOn wallet of @${friend.username}`).waitFor();
  await page.getByLabel("M-Pesa phone number").fill(payer.phone);
  await screenshot(page, "boost-mpesa-review");
  await page.getByRole("button", { name: "Pay KES 50.00" }).click();
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN on 0712 … \d{3}/ }).waitFor();
  await screenshot(page, "boost-mpesa-waiting");
  await typePin(payer.msisdn, "1234");
  await expectBoosted(page, "50.00", "boost-mpesa");
  await expectReceived("50.00");
  assert.deepEqual(errors, []);
});

test("a player boosts a friend by card, and the friend has the money", async () => {
  const { page, errors } = phone;
  await toReview(page, "100");
  await chooseMethod(page, /^Card/);
  await page.getByText(`The PlayOn wallet of @${friend.username}`).waitFor();
  const card = await openCardPage(phone);
  await payByCard(card);
  await expectBoosted(page, "100.00", "boost-card");
  await card.close();
  await expectReceived("100.00");
  assert.deepEqual([...errors, ...friendsPhone.errors], []);
});

test("a boost that has lost its friend leads back to the username", async () => {
  const { page, errors } = phone;
  await openWallet(page);
  await chooseFriend(page, friend);
  await reviewAmount(page, "50");
  await page.evaluate(() =>
    history.replaceState({ ...history.state, usr: { type: "BOOST", amount: 50 } }, ""),
  );
  await page.reload();
  await page.getByText("Please enter your friend's username.", { exact: true }).waitFor();
  await page.getByLabel("Friend's username").waitFor();
  await screenshot(page, "boost-redirected");
  assert.equal(page.url(), `${PLAYON_URL}/account/boost`);
  assert.deepEqual(errors, []);
});
