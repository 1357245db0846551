// Signing in with Google and Facebook, whose pages the sandbox shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, SANDBOX_URL, screenshot } from "./browser.mjs";
import {
  completeProfile,
  createPlayer,
  expectHome,
  expectProfileRequired,
  finishReferralStep,
  newPlayer,
} from "./players.mjs";
import { decline, mailAbout, signInWithAccount, signInWithNewAccount } from "./sandbox.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function toLogin(page) {
  await page.goto(`${PLAYON_URL}/login`);
  await page.getByRole("heading", { name: "Welcome back!" }).waitFor();
}

/** Presses a provider's button and returns the popup, once it shows the provider's page. */
async function openPopup(page, name) {
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name }).click();
  const popup = await opened;
  await popup.waitForURL((url) => url.origin === new URL(SANDBOX_URL).origin);
  return popup;
}

async function closed(popup) {
  if (!popup.isClosed()) await popup.waitForEvent("close");
}

async function uidIn(page) {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("user")).uid);
}

for (const [name, prefix] of [
  ["GOOGLE", "google"],
  ["FACEBOOK", "facebook"],
]) {
  test(`a new player signs in with ${prefix} in a popup, and gets the same account on another phone`, async () => {
    const player = newPlayer();
    const { context, page, errors } = await openPhone(browser);
    await toLogin(page);
    const popup = await openPopup(page, name);
    await popup.getByRole("heading", { name: "Choose an account" }).waitFor();
    await screenshot(popup, `${prefix}-01-provider`);
    await screenshot(page, `${prefix}-02-waiting`);
    await signInWithNewAccount(popup, player);
    await Promise.all([closed(popup), expectProfileRequired(page)]);
    await screenshot(page, `${prefix}-03-profile`);
    const uid = await uidIn(page);
    const address = new URL(page.url());
    assert.equal(address.hash, "", "no code is left in the address");
    assert.deepEqual(errors, []);
    await context.close();

    const another = await openPhone(browser, "light");
    await toLogin(another.page);
    const again = await openPopup(another.page, name);
    await signInWithAccount(again, player);
    await Promise.all([closed(again), expectProfileRequired(another.page)]);
    assert.equal(await uidIn(another.page), uid);
    assert.deepEqual(another.errors, []);
    await another.context.close();
  });
}

test("where popups are blocked, the page redirects to the provider and returns signed in", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await context.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.waitForURL(/\/login\?from=/);
  await page.getByRole("button", { name: "GOOGLE" }).click();
  await page.waitForURL((url) => url.origin === new URL(SANDBOX_URL).origin);
  await screenshot(page, "google-04-redirect");
  await signInWithNewAccount(page, player);
  await expectProfileRequired(page);
  const address = new URL(page.url());
  assert.equal(address.hash, "", "no code is left in the address");
  assert.equal(address.searchParams.get("from"), "/account/wallet", "the requested page is kept");
  if (await page.getByText("Not set. Click to set.").count()) await completeProfile(page, player);
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Wallet" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a denied, a closed and a foreign sign-in each show their reason, and no session is created", async () => {
  const { context, page, errors } = await openPhone(browser);
  await toLogin(page);
  const denied = await openPopup(page, "FACEBOOK");
  await decline(denied);
  await Promise.all([closed(denied), page.getByText("You cancelled the sign-in.").waitFor()]);
  await screenshot(page, "facebook-04-denied");

  const left = await openPopup(page, "GOOGLE");
  await left.close();
  await page.getByText(/The Google window was closed before you were signed in/).waitFor();
  await screenshot(page, "google-05-closed");

  await toLogin(page);
  const foreign = await openPopup(page, "GOOGLE");
  // Without the cookie, this browser counts as one that did not start the attempt.
  await context.clearCookies();
  await signInWithNewAccount(foreign, newPlayer());
  await Promise.all([
    closed(foreign),
    page
      .getByText("That sign-in did not start in this browser, or took too long. Please try again.")
      .waitFor(),
  ]);
  await screenshot(page, "google-06-state");
  assert.equal(await page.evaluate(() => sessionStorage.getItem("user")), null);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a player from Google completes the profile and continues like any other", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await toLogin(page);
  const popup = await openPopup(page, "GOOGLE");
  await signInWithNewAccount(popup, player);
  await expectProfileRequired(page);
  await completeProfile(page, player);
  await finishReferralStep(page, player);
  assert.deepEqual(errors, []);
  await context.close();
});

test("an account of the same email is joined with facebook by a mailed code", async () => {
  const player = newPlayer();
  const first = await openPhone(browser);
  await createPlayer(first.page, player);
  const uid = await uidIn(first.page);
  await first.context.close();

  const { context, page, errors } = await openPhone(browser);
  await toLogin(page);
  const popup = await openPopup(page, "FACEBOOK");
  await signInWithNewAccount(popup, player);
  const dialog = page.getByRole("dialog", { name: "Is this your account?" });
  await Promise.all([closed(popup), dialog.waitFor()]);
  await screenshot(page, "facebook-05-join");
  await dialog.getByRole("button", { name: "Send me a code" }).click();
  await dialog.getByLabel("Confirmation code").waitFor();
  const { text } = await mailAbout(player.email, "Your PlayOn code");
  await screenshot(page, "facebook-06-code");
  await dialog.getByLabel("Confirmation code").fill(/^\s*(\d{6})\s*$/m.exec(text)[1]);
  await expectHome(page, player);
  assert.equal(await uidIn(page), uid);
  // The first exchange was refused, and must be in the log.
  assert.ok(
    errors.every((error) => error.includes("422")),
    errors.join("\n"),
  );
  await context.close();
});
