// Money out of the wallet, to M-Pesa, a friend or a package, and the packages that M-Pesa and airtime pay for.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import {
  choosePackage,
  fundedPlayer,
  openCardPage,
  openWallet,
  PAYMENT_MS,
  payByCard,
  provePhone,
  reviewAmount,
  typeAmount,
} from "./payments.mjs";
import { chooseMethod, createPlayer, expectHome, newPlayer, signIn } from "./players.mjs";
import { codeSentTo, mailAbout, textsTo, typePin } from "./sandbox.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a player withdraws to M-Pesa, and sees the fee before and the money gone after", async () => {
  const { context, page, errors } = await openPhone(browser);
  const player = await fundedPlayer(page);
  await page.getByRole("link", { name: "Withdraw" }).click();
  await page.getByRole("heading", { name: "Withdrawing amount" }).waitFor();
  await page.getByText("KES 100.00 available").waitFor();
  await page.getByRole("button", { name: "All" }).click();
  // M-Pesa takes no fee for KES 100.
  await page.getByLabel("Amount", { exact: true }).getByText("100", { exact: true }).waitFor();
  await reviewAmount(page, "50");
  await page.getByText("Estimated fees").waitFor();
  await page.getByText("Total", { exact: true }).waitFor();
  await chooseMethod(page, /m-?pesa/i);
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await page.getByText("We send a code to this phone first.").waitFor();
  await screenshot(page, "withdraw-review");
  await page.getByRole("button", { name: "Withdraw KES 50.00" }).click();
  await provePhone(page, player, "withdraw-code");
  await page.getByText("Funds withdrawn successfully!").waitFor({ timeout: PAYMENT_MS });
  await screenshot(page, "withdraw-completion");
  await page.getByRole("button", { name: "View wallet" }).click();
  await page
    .getByRole("button", { name: /Withdrawal.*−KES/ })
    .first()
    .waitFor();

  // The phone is proven: the second withdrawal needs no code.
  await page.getByRole("link", { name: "Withdraw" }).click();
  await reviewAmount(page, "50");
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await page.getByRole("button", { name: "Withdraw KES 50.00" }).click();
  await page.getByText("Funds withdrawn successfully!").waitFor({ timeout: PAYMENT_MS });
  const codes = (await textsTo(player.msisdn)).filter(({ text }) => /#\d+\s*$/.test(text));
  assert.equal(codes.length, 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a player confirms a phone in the account, before there is money to withdraw", async () => {
  const { context, page, errors } = await openPhone(browser);
  const player = newPlayer();
  await createPlayer(page, player);
  await page.goto(`${PLAYON_URL}/account`);
  await page.getByRole("link", { name: "Phones for withdrawals" }).click();
  await page.getByText("You have not confirmed a phone yet.").waitFor();
  await page.getByRole("button", { name: "Add a phone" }).click();
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await screenshot(page, "phones-add");
  await page.getByRole("button", { name: "Send a code" }).click();
  await page.getByLabel("Confirmation code").fill(await codeSentTo(player.msisdn));
  await page.getByText("Ready for withdrawals").waitFor();
  await screenshot(page, "phones");
  assert.equal((await textsTo(player.msisdn)).length, 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("money of a card is held when it leaves again, and the player reads why and until when", async () => {
  const { context, page, errors } = await openPhone(browser);
  const player = newPlayer();
  await createPlayer(page, player);
  await openWallet(page);
  await page.getByRole("link", { name: "Top up" }).first().click();
  await typeAmount(page, "2000");
  await chooseMethod(page, /^Card/);
  const card = await openCardPage({ context, page });
  await payByCard(card);
  await card.close();
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "View wallet" }).click();

  await page.getByRole("link", { name: "Withdraw" }).click();
  await typeAmount(page, "1500");
  await chooseMethod(page, /m-?pesa/i);
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await page.getByRole("button", { name: "Withdraw KES 1,500.00" }).click();
  await provePhone(page, player);
  const rule = /take more than KES 1,000.00 .* You will hear by \d\d:\d\d on \d\d\/\d\d/;
  await page.getByText(rule).waitFor({ timeout: PAYMENT_MS });
  await screenshot(page, "withdraw-held");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a new device takes money out after the code of a mail", async () => {
  const first = await openPhone(browser);
  const player = await fundedPlayer(first.page);
  await first.context.close();

  const { context, page, errors } = await openPhone(browser);
  await signIn(page, player);
  await expectHome(page, player);
  await openWallet(page);
  await page.getByRole("link", { name: "Withdraw" }).click();
  await reviewAmount(page, "50");
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await page.getByRole("button", { name: "Withdraw KES 50.00" }).click();
  const dialog = page.getByRole("dialog", { name: "Is this you?" });
  await dialog.waitFor();
  await screenshot(page, "device-new");
  await dialog.getByRole("button", { name: "Send me a code" }).click();
  await dialog.getByLabel("Confirmation code").waitFor();
  const { text } = await mailAbout(player.email, "Your PlayOn code");
  await screenshot(page, "device-code");
  await dialog.getByLabel("Confirmation code").fill(/^\s*(\d{6})\s*$/m.exec(text)[1]);
  // The phone is new to the account as well: its code comes after the device's.
  await provePhone(page, player);
  await page.getByText("Funds withdrawn successfully!").waitFor({ timeout: PAYMENT_MS });
  // The first attempt was refused, and must be in the log.
  assert.ok(
    errors.every((error) => error.includes("403")),
    errors.join("\n"),
  );
  await context.close();
});

test("a withdrawal that the wallet does not cover says what is missing", async () => {
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, newPlayer());
  await openWallet(page);
  await page.getByRole("link", { name: "Withdraw" }).click();
  await page.getByRole("button", { name: "100", exact: true }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page
    .getByRole("alert")
    .getByText(/You have KES 0\.00 available/)
    .waitFor();
  const pay = page.getByRole("button", { name: "Withdraw KES 100.00" });
  assert.equal(await pay.getAttribute("aria-disabled"), "true");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a player boosts a friend from the wallet, and both see it", async () => {
  const friend = newPlayer();
  const other = await openPhone(browser);
  await createPlayer(other.page, friend);
  await other.context.close();

  const { context, page, errors } = await openPhone(browser);
  await fundedPlayer(page);
  await page.getByRole("link", { name: /Boost a friend/ }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Please enter your friend's username").waitFor();
  await page.getByLabel("Friend's username").fill("nobody.has.this.1");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("User not found").waitFor();
  await page.getByLabel("Friend's username").fill(friend.username);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(`@${friend.username}`).waitFor();
  await screenshot(page, "boost-amount");
  await reviewAmount(page, "50");
  await chooseMethod(page, /^Wallet/);
  await screenshot(page, "boost-review");
  await page.getByRole("button", { name: "Pay KES 50.00" }).click();
  await page.getByRole("heading", { name: "Yeah, friend boosted!" }).waitFor({ timeout: PAYMENT_MS });
  await screenshot(page, "boost-completion");
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("50.00").waitFor();
  await page.getByRole("button", { name: /Boost a friend.*−KES 50\.00/ }).click();
  await page.getByLabel("Receipt").waitFor();
  await screenshot(page, "boost-receipt");
  assert.deepEqual(errors, []);
  await context.close();

  const theirs = await openPhone(browser);
  await signIn(theirs.page, friend);
  await theirs.page.waitForURL((url) => !url.pathname.startsWith("/login"));
  await openWallet(theirs.page);
  await theirs.page.getByTestId("balance").getByText("50.00").waitFor();
  await theirs.context.close();
});

test("a player subscribes from the wallet, and again by M-Pesa, which adds a day", async () => {
  const { context, page, errors } = await openPhone(browser);
  const player = await fundedPlayer(page);
  await choosePackage(page, "Bronze", /^Wallet/);
  await page.getByRole("button", { name: /^Pay KES/ }).click();
  await page
    .getByText("Your subscription request has been processed successfully")
    .waitFor({ timeout: PAYMENT_MS });
  await screenshot(page, "subscribe-completion");
  await page.getByRole("button", { name: "Subscriptions" }).click();
  const pass = page.getByRole("article", { name: "Bronze" });
  await pass.getByText(/Subscribed/).waitFor();
  await pass.getByText(/23 h \d+ min left/).waitFor();
  await screenshot(page, "subscribe-packages");

  await choosePackage(page, "Bronze", /m-?pesa/i);
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await page.getByRole("button", { name: /^Pay KES/ }).click();
  await page.waitForURL(/\/waiting\?payment=/);
  await typePin(player.msisdn, "1234");
  await page
    .getByText("Your subscription request has been processed successfully")
    .waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "Subscriptions" }).click();
  await pass.getByText(/4[67] h \d+ min left/).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("airtime pays for Bronze after the player's word, and for no other package", async () => {
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, newPlayer());
  await choosePackage(page, "Gold", /^Safaricom airtime/);
  await page.getByText("Payment using Safaricom airtime is limited to the bronze package.").waitFor();
  await choosePackage(page, "Bronze", /^Safaricom airtime/);
  await page.getByText(/deducted directly from your Safaricom airtime/).waitFor();
  await screenshot(page, "airtime");
  await page.getByRole("button", { name: "Let's do it" }).click();
  await page
    .getByText("Your subscription request has been processed successfully")
    .waitFor({ timeout: PAYMENT_MS });
  assert.deepEqual(errors, []);
  await context.close();
});
