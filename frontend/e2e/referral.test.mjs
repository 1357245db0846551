// A referral code: shared by a link, redeemed once, counted for its owner.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { completeProfile, createPlayer, expectHome, newPlayer, register } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function ownCode(page) {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("profile")).referralCode);
}

/** Stubs the phone's share sheet and records what is shared in `window.shared`. */
async function recordShare(context) {
  await context.addInitScript(() => {
    navigator.share = async (data) => {
      window.shared = data;
    };
    navigator.canShare = () => true;
  });
}

test("an invited friend redeems the prefilled code once, and is counted", async () => {
  const [inviter, friend] = [newPlayer(), newPlayer()];
  const first = await openPhone(browser);
  await recordShare(first.context);
  await createPlayer(first.page, inviter);
  await first.page.getByRole("link", { name: "Account" }).click();
  await first.page.getByRole("button", { name: /Invite a friend/ }).click();
  const shared = await first.page.waitForFunction(() => window.shared);
  const { url } = await shared.jsonValue();
  const code = await ownCode(first.page);
  assert.equal(url, `${PLAYON_URL}/?utm_source=${code}`);
  await screenshot(first.page, "referral-01-share");

  const { context, page, errors } = await openPhone(browser);
  await page.goto(url);
  assert.equal(await page.evaluate(() => localStorage.getItem("utm_source")), code);
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, friend);
  await completeProfile(page, friend);
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Do you have a referral code?" }).waitFor();
  const field = page.getByLabel("Enter referral code (optional)");
  assert.equal(await field.inputValue(), code);
  await screenshot(page, "referral-02-prefilled");

  await field.fill(await ownCode(page));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByText("That is your own referral code. Give it to a friend.").waitFor();
  await screenshot(page, "referral-03-own-code");
  await field.fill("no-such-code");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByText("We could not find that referral code.").waitFor();
  await field.fill(code);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByText("Your referral code was accepted.").waitFor();
  await expectHome(page, friend);
  await page.goto(`${PLAYON_URL}/referral`);
  await page.getByText("You have already used a referral code.").waitFor();
  await screenshot(page, "referral-04-used");

  await first.page.reload();
  await first.page.getByRole("button", { name: /Invite a friend.*1 joined/ }).waitFor();
  assert.deepEqual(errors, []);
  assert.deepEqual(first.errors, []);
  await context.close();
  await first.context.close();
});
