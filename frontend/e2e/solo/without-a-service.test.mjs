// Stops each service in turn: its screens say what is missing, the others work, and all recover without a reload. The
// test has a mesh of its own, because it stops processes.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot, settle } from "../browser.mjs";
import { createPlayer, expectHome, newPlayer, signIn, toHundred } from "../players.mjs";
import { meshIsComplete, whilePaused, without } from "../processes.mjs";
import { promptOn, scriptHandset, typePin } from "../sandbox.mjs";

/** A screen repeats a failed read every ten seconds or so, and the service takes a moment to start. */
const RECOVERY_MS = 30_000;
/** The gateway ends a call after 15 s. A connection that breaks before that is tried again. */
const DEADLINE_MS = 40_000;
const PAYMENT_MS = 30_000;

const WALLET_AWAY = "Your wallet is not answering right now. Your money is safe.";

let browser;
before(async () => {
  browser = await launch();
  await meshIsComplete();
});
afterEach(meshIsComplete);
after(() => browser?.close());

/** The smallest phone that the app is designed for. */
async function openSmallPhone(colorScheme) {
  const phone = await openPhone(browser, colorScheme);
  await phone.page.setViewportSize({ width: 360, height: 640 });
  return phone;
}

/** Returns the alerts of the screen itself; toasts are outside of `main`. */
const alerts = (page) => page.getByRole("main").getByRole("alert");
const alertOf = (page, text) => alerts(page).filter({ hasText: text }).first();

/** Waits until every list of a screen has recovered; each does so on its own. */
const recovered = (page) =>
  page.waitForFunction(() => document.querySelectorAll("main [role=alert]").length === 0, null, {
    timeout: RECOVERY_MS,
  });

async function openWallet(page) {
  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.getByRole("heading", { name: "Wallet" }).waitFor();
}

/** Simulates a phone that never fetched a list: home fetches both lists, and may have stored them. */
async function forgetLists(page) {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("query:")) localStorage.removeItem(key);
  });
}

/** Simulates a phone that fetched the list yesterday: the list is shown, and fetched again. */
async function ageList(page, name) {
  await page.evaluate((key) => {
    const stored = JSON.parse(localStorage.getItem(key));
    localStorage.setItem(key, JSON.stringify({ ...stored, updatedAt: stored.updatedAt - 24 * 3_600_000 }));
  }, `query:${name}`);
}

async function isStored(page, name) {
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, `query:${name}`);
}

async function isSignedIn(page) {
  return page.evaluate(() => sessionStorage.getItem("user") !== null);
}

/** Takes a picture once the toasts are gone, which takes 5 s. */
async function pictureWithoutToasts(page, name) {
  await page.locator(".Toastify__toast").first().waitFor({ state: "hidden" });
  await screenshot(page, name);
}

test("without svc-wallet the wallet says so, everything else works, and the balance comes back", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openSmallPhone("dark");
  await createPlayer(page, player);
  await without("svc-wallet", async () => {
    await openWallet(page);
    await alertOf(page, WALLET_AWAY).waitFor();
    await page.getByRole("button", { name: "Retry" }).waitFor();
    await page.getByText(/^Reference: [0-9a-f]{32}$/).waitFor();
    // The balance is not known, so it is not shown as 0.
    await page.getByTestId("balance").getByText("–").waitFor();
    await pictureWithoutToasts(page, "without-wallet-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await screenshot(page, "without-wallet-light");

    await page.goto(`${PLAYON_URL}/dashboard`);
    await expectHome(page, player);
    await page.getByRole("heading", { name: "Featured Games" }).waitFor();
    for (const [path, heading] of [
      ["/tournaments", "Tournaments"],
      ["/chat-room", "Chat rooms"],
      ["/notifications", "Notifications"],
      ["/account", "Account"],
      ["/profile", "Profile"],
    ]) {
      await page.goto(`${PLAYON_URL}${path}`);
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      await settle(page);
      assert.equal(await alerts(page).count(), 0, path);
    }
    await openWallet(page);
    await alertOf(page, WALLET_AWAY).waitFor();
  });
  const balance = page.getByTestId("balance").getByText("0.00");
  await balance.waitFor({ timeout: RECOVERY_MS });
  await recovered(page);

  // A balance that was fetched before stays, with its time.
  await without("svc-wallet", async () => {
    // Simulate a player who returns from another app after a while: a balance that is a moment old is not fetched
    // again.
    await page.clock.install();
    await page.clock.fastForward("06:00");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await page.getByText(/^As of \d\d:\d\d\. Your wallet is not answering/).waitFor({ timeout: RECOVERY_MS });
    await balance.waitFor();
    await pictureWithoutToasts(page, "without-wallet-stale");
  });
  await page.getByText(/^As of/).waitFor({ state: "hidden", timeout: RECOVERY_MS });
  assert.deepEqual(errors, []);
  await context.close();
});

test("a payment that svc-wallet did not get is repeated, and moves the money once", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openSmallPhone("light");
  await scriptHandset(player.msisdn, { stk: "manual" });
  await createPlayer(page, player);
  await openWallet(page);
  const pay = await toHundred(page, player, "without-wallet");
  await without("svc-wallet", async () => {
    await pay.click();
    // The second text appears if the connection was lost only after the call was sent.
    const reason = /^Your wallet is not answering|^We do not know yet whether your payment/;
    await page.getByText(reason).first().waitFor();
    await screenshot(page, "without-wallet-pay");
  });
  await meshIsComplete();
  await pay.click();
  await page.waitForURL(/\/waiting\?payment=/);

  await promptOn(player.msisdn);
  // The live updates stop with svc-wallet, and come back with it.
  const paused = page.getByText("Live updates are paused, and we keep checking your payment.");
  await without("svc-wallet", async () => {
    await paused.waitFor({ timeout: DEADLINE_MS });
    await screenshot(page, "without-wallet-waiting");
  });
  await paused.waitFor({ state: "hidden", timeout: RECOVERY_MS });
  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("100.00").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("without svc-games home shows the rest, and the games come back", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openSmallPhone("light");
  await createPlayer(page, player);
  await without("svc-games", async () => {
    await forgetLists(page);
    await page.goto(`${PLAYON_URL}/dashboard`);
    await expectHome(page, player);
    await alertOf(page, "We cannot load the games right now.").waitFor();
    await pictureWithoutToasts(page, "without-games-light");
    await openWallet(page);
    await page.getByTestId("balance").getByText("0.00").waitFor();
    await page.goto(`${PLAYON_URL}/dashboard`);
    await alertOf(page, "We cannot load the games right now.").waitFor();
  });
  await recovered(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("without svc-auth no player is signed out, and the login keeps what was typed", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openSmallPhone("dark");
  await createPlayer(page, player);
  const guest = await openSmallPhone("dark");
  await without("svc-auth", async () => {
    // A valid token is verified without svc-auth.
    await openWallet(page);
    await page.getByTestId("balance").getByText("0.00").waitFor();
    // An expired token cannot be renewed.
    await page.evaluate(() => {
      const user = JSON.parse(sessionStorage.getItem("user"));
      sessionStorage.setItem("user", JSON.stringify({ ...user, expirationTime: Date.now() - 1 }));
    });
    await page.reload();
    await alertOf(page, "We cannot check your sign-in right now. You stay signed in.").waitFor();
    assert.ok(await isSignedIn(page));
    await pictureWithoutToasts(page, "without-auth-wallet");

    await signIn(guest.page, player);
    await guest.page.getByText("Sign-in is not available right now.").first().waitFor();
    assert.equal(await guest.page.getByLabel("Email").inputValue(), player.email);
    assert.equal(await guest.page.getByLabel("Password", { exact: true }).inputValue(), player.password);
    await pictureWithoutToasts(guest.page, "without-auth-login");
    await guest.page.getByText("Sign-in is not available right now.").waitFor();
  });
  await page.getByTestId("balance").getByText("0.00").waitFor({ timeout: RECOVERY_MS });
  await guest.page
    .getByText("Sign-in is not available right now.")
    .waitFor({ state: "hidden", timeout: RECOVERY_MS });
  await guest.page.getByRole("button", { name: "Continue" }).click();
  await expectHome(guest.page, player);
  for (const phone of [{ context, errors }, guest]) {
    assert.deepEqual(phone.errors, []);
    await phone.context.close();
  }
});

for (const [service, path, text] of [
  ["svc-chat", "/chat-room", "Chat is not available right now."],
  ["svc-tournament", "/tournaments", "We cannot load the tournaments right now."],
]) {
  test(`while ${service} replies to nothing its screen says so, and recovers`, async () => {
    const player = newPlayer();
    const { context, page, errors } = await openSmallPhone("dark");
    await createPlayer(page, player);
    await whilePaused(service, async () => {
      await openWallet(page);
      await page.getByTestId("balance").getByText("0.00").waitFor();
      await forgetLists(page);
      await page.goto(`${PLAYON_URL}${path}`);
      await alertOf(page, text).waitFor({ timeout: DEADLINE_MS });
      await pictureWithoutToasts(page, `without-${service}`);
    });
    await recovered(page);
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test("a list that was fetched before stays while its service is away, with its time", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openSmallPhone("dark");
  await createPlayer(page, player);
  await isStored(page, "tournaments");
  const stale = page.getByRole("main").getByText(/^As of .*We cannot load the tournaments right now\./);
  await without("svc-tournament", async () => {
    await ageList(page, "tournaments");
    await page.goto(`${PLAYON_URL}/tournaments`);
    await stale.waitFor({ timeout: DEADLINE_MS });
  });
  await stale.waitFor({ state: "hidden", timeout: RECOVERY_MS });
  assert.deepEqual(errors, []);
  await context.close();
});
