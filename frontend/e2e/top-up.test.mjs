// PlayOn's main journey: from the first visit to money in the wallet.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { fundedPlayer } from "./payments.mjs";
import {
  completeProfile,
  createPlayer,
  expectHome,
  finishReferralStep,
  newPlayer,
  onboard,
  register,
  topUpHundred,
} from "./players.mjs";
import { scriptHandset, typePin } from "./sandbox.mjs";

/** Timeout for a payment's callback; the waiting screen itself gives up after 120 s. */
const PAYMENT_MS = 30_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function openWallet(page) {
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Wallet" }).click();
  await page.getByRole("heading", { name: "Wallet" }).waitFor();
}

test("a new player signs up, completes the profile, tops up by M-Pesa and sees the money", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await scriptHandset(player.msisdn, { stk: "manual" });

  await onboard(page, "approve");
  await register(page, player, "approve");
  await completeProfile(page, player, "approve");
  await finishReferralStep(page, player, "approve");
  await page.getByRole("heading", { name: "Featured Games" }).waitFor();
  await screenshot(page, "approve-06-home");

  await openWallet(page);
  await page.getByTestId("balance").getByText("0.00").waitFor();
  await page.getByText("Oops, there's nothing here.").waitFor();
  await screenshot(page, "approve-06-wallet-empty");

  await topUpHundred(page, player, "approve");
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN on 0712 … \d{3}/ }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  await screenshot(page, "approve-10-waiting");

  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByText("Top up request was processed successfully!").waitFor();
  await screenshot(page, "approve-11-completion");

  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("100.00").waitFor();
  const line = page.getByRole("button", { name: /Top up.*\+KES 100\.00/ });
  await line.first().waitFor();
  assert.equal(await line.count(), 1, "one row per top up");
  await screenshot(page, "approve-12-wallet");
  await line.click();
  const receipt = page.getByLabel("Receipt");
  await receipt.getByText("Receipt number").waitFor();
  await screenshot(page, "approve-13-receipt");
  await line.click();
  await receipt.waitFor({ state: "hidden" });

  // The payment's screens are no longer in the history behind the wallet.
  await page.getByRole("button", { name: "Back" }).click();
  await expectHome(page, player);

  const kept = await page.evaluate(() => ({
    user: JSON.parse(sessionStorage.getItem("user")),
    profile: JSON.parse(sessionStorage.getItem("profile")),
  }));
  assert.ok(kept.user.accessToken && kept.user.refreshToken, "the session is kept under `user`");
  assert.equal(kept.profile.username, player.username, "the profile is kept under `profile`");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a second top-up has its method and number, keeps them through a reload, and is paid once", async () => {
  const { context, page, errors } = await openPhone(browser);
  const player = await fundedPlayer(page);
  const payments = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/payments/top-up")) payments.push(request);
  });
  await page.getByRole("link", { name: "Top up" }).click();
  await page.getByRole("button", { name: "50", exact: true }).click();
  await page.getByRole("button", { name: "Review" }).click();
  const method = page.getByRole("button", { name: /^Payment Method M-Pesa/ });
  const phone = page.getByLabel("M-Pesa phone number");
  await method.waitFor();
  assert.equal(await phone.inputValue(), `+${player.msisdn}`, "the profile's number");
  await screenshot(page, "again-09-review");

  await phone.fill(player.phone);
  await page.getByText("Tapping twice will not charge you twice.").click();
  await page.reload();
  await method.waitFor();
  assert.equal(await phone.inputValue(), player.phone, "the number that was typed");
  await page.getByRole("button", { name: "Pay KES 50.00" }).dblclick();
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN/ }).waitFor();
  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("150.00").waitFor();
  assert.equal(payments.length, 1, "one call that pays");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a pending payment is listed in the wallet, links to its screen, and disappears when it completes", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await scriptHandset(player.msisdn, { stk: "manual" });
  await createPlayer(page, player);
  await openWallet(page);
  await topUpHundred(page, player, "left");
  await page.getByRole("button", { name: "Cancel" }).click();

  const row = page.getByRole("link", { name: /^KES 100\.00 on its way/ });
  await row.waitFor();
  await screenshot(page, "left-10-wallet");
  await page.reload();
  await row.click();
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN/ }).waitFor();
  await page.goBack();
  await row.waitFor();

  await typePin(player.msisdn, "1234");
  await page.getByTestId("balance").getByText("100.00").waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: /Top up.*\+KES 100\.00/ }).waitFor();
  await row.waitFor({ state: "hidden" });
  await screenshot(page, "left-11-wallet");
  await page.getByRole("button", { name: "Back" }).click();
  await expectHome(page, player);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a wrong PIN ends in the error state and moves no money", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser, "light");
  await scriptHandset(player.msisdn, { stk: "wrong_pin", delayMs: 2_000 });

  await onboard(page, "wrong-pin");
  await register(page, player, "wrong-pin");
  await completeProfile(page, player, "wrong-pin");
  await finishReferralStep(page, player, "wrong-pin");
  await screenshot(page, "wrong-pin-06-home");
  await openWallet(page);
  await topUpHundred(page, player, "wrong-pin");

  await page.getByRole("heading", { name: "Something happenned" }).waitFor({ timeout: PAYMENT_MS });
  await screenshot(page, "wrong-pin-10-error");
  await page.getByRole("button", { name: "Go back" }).click();
  await page.getByRole("heading", { name: "Wallet" }).waitFor();
  await page.getByTestId("balance").getByText("0.00").waitFor();
  await page.getByText("Oops, there's nothing here.").waitFor();
  // The reason of the failure stays in the wallet until the player hides it.
  const reason = page.getByRole("link", { name: /^KES 100\.00 did not arrive.*No money was moved/ });
  await reason.waitFor();
  await screenshot(page, "wrong-pin-11-wallet");
  await page.getByRole("button", { name: "Hide" }).click();
  await reason.waitFor({ state: "hidden" });
  assert.deepEqual(errors, []);
  await context.close();
});

test("a guest who opens the wallet is sent to the login and returns to it", async () => {
  const { context, page, errors } = await openPhone(browser);
  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.waitForURL(/\/login\?from=%2Faccount%2Fwallet$/);
  await page.getByRole("heading", { name: "Welcome back!" }).waitFor();
  assert.equal(
    await page.getByLabel("Password", { exact: true }).count(),
    0,
    "no password before a valid email",
  );
  await page.getByLabel("Email").fill("not-an-email");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Invalid email address").waitFor();
  await page.getByLabel("Email").fill("guest@example.com");
  await page.getByLabel("Password", { exact: true }).waitFor();
  await screenshot(page, "login");
  assert.deepEqual(errors, []);
  await context.close();
});
