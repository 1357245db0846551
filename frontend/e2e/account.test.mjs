// The account: its sessions on this phone and others, its deletion, and the public pages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, expectHome, expectSignedOut, newPlayer, signIn } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const refreshes = (page) => {
  const calls = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/refresh")) calls.push(request);
  });
  return calls;
};

test("a token about to expire is renewed once for all calls", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const calls = refreshes(page);
  const before = await page.evaluate(() => JSON.parse(sessionStorage.getItem("user")));
  // The token has four minutes left, and tokens are renewed from five minutes on. Only the next page gets this session:
  // a renewal that the present page began would be cut off by the navigation, and repeated.
  await page.addInitScript(() => {
    const user = JSON.parse(sessionStorage.getItem("user"));
    sessionStorage.setItem("user", JSON.stringify({ ...user, expirationTime: Date.now() + 4 * 60_000 }));
  });
  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.getByTestId("balance").getByText("0.00").waitFor();
  await page.getByText("Oops, there's nothing here.").waitFor();
  assert.equal(calls.length, 1, "one refresh for all calls");
  const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem("user")));
  assert.notEqual(kept.refreshToken, before.refreshToken);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a duplicated tab and its original both stay signed in after a refresh", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const stored = await page.evaluate(() => {
    const user = JSON.parse(sessionStorage.getItem("user"));
    const expiring = JSON.stringify({ ...user, expirationTime: Date.now() + 60_000 });
    sessionStorage.setItem("user", expiring);
    return { user: expiring, profile: sessionStorage.getItem("profile") };
  });
  const duplicate = await context.newPage();
  await duplicate.addInitScript((kept) => {
    if (sessionStorage.getItem("user")) return;
    for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value);
  }, stored);
  await Promise.all([page, duplicate].map((tab) => tab.goto(`${PLAYON_URL}/account/wallet`)));
  for (const tab of [page, duplicate]) await tab.getByTestId("balance").getByText("0.00").waitFor();
  for (const tab of [page, duplicate]) {
    await tab.reload();
    await tab.getByTestId("balance").getByText("0.00").waitFor();
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("a new window is signed in, also after the browser was closed, until the player logs out", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const cookie = async () => (await context.cookies()).find(({ name }) => name === "playon-session");
  const made = await cookie();
  assert.equal(made.path, "/api/auth/refresh");
  assert.ok(made.httpOnly && made.sameSite === "Strict", "no page and no other site can use it");
  assert.equal(made.expires, -1, "it ends with the browser");

  // A push opens a new page in this way.
  const pushed = await context.newPage();
  await pushed.goto(`${PLAYON_URL}/account/wallet`);
  await pushed.getByTestId("balance").getByText("0.00").waitFor();

  await page.goto(`${PLAYON_URL}/account`);
  const stay = page.getByRole("switch", { name: "Stay signed in on this phone" });
  assert.equal(await stay.isChecked(), false);
  await stay.click();
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("user")).staySignedIn);
  assert.ok(await stay.isChecked());
  await screenshot(page, "account-05-stays");
  const days = ((await cookie()).expires - Date.now() / 1000) / 86_400;
  assert.ok(days > 29.9 && days <= 30, `${days} days`);

  // Closing the browser removes its session storage and session cookies.
  const kept = await context.storageState();
  await context.close();
  const again = await openPhone(browser, "dark", { storageState: kept });
  await again.page.goto(`${PLAYON_URL}/`);
  await expectHome(again.page, player);
  await again.page.getByRole("link", { name: "Account" }).click();
  await again.page.getByRole("button", { name: "Logout" }).click();
  await again.page.waitForURL(`${PLAYON_URL}/login`);
  const left = (await again.context.cookies()).map(({ name }) => name);
  assert.deepEqual(left, ["playon-device"], "it opens nothing, and stays the player's own");
  const guest = await again.context.newPage();
  await guest.goto(`${PLAYON_URL}/account/wallet`);
  await guest.waitForURL(`${PLAYON_URL}/login?from=*`);
  assert.deepEqual([errors, again.errors], [[], []]);
  await again.context.close();
});

test("signing out everywhere ends the session on the other phone and clears this one", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const elsewhere = await openPhone(browser, "light");
  await signIn(elsewhere.page, player);
  await expectHome(elsewhere.page, player);

  await page.getByRole("link", { name: "Account" }).click();
  await screenshot(page, "account-01-account");
  await page.getByRole("button", { name: /^Sign out everywhere/ }).click();
  const sheet = page.getByRole("dialog", { name: "Sign out everywhere" });
  await sheet.waitFor();
  await screenshot(page, "account-02-everywhere");
  await sheet.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByText("You have been signed out everywhere.").waitFor();
  await page.waitForURL(/\/login/);
  const kept = await page.evaluate(() => [sessionStorage.getItem("user"), sessionStorage.getItem("profile")]);
  assert.deepEqual(kept, [null, null]);

  await expectSignedOut(elsewhere.page);
  assert.deepEqual(elsewhere.errors, []);
  assert.deepEqual(errors, []);
  await elsewhere.context.close();
  await context.close();
});

test("a sign-in on a new phone is a notification, and 'This was not me' signs out every phone and tab", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const tab = await context.newPage();
  await tab.goto(`${PLAYON_URL}/account/wallet`);
  await tab.getByTestId("balance").getByText("0.00").waitFor();
  const elsewhere = await openPhone(browser, "light");
  await signIn(elsewhere.page, player);
  await expectHome(elsewhere.page, player);

  await page.getByRole("link", { name: "Notifications" }).click();
  await page.getByRole("link", { name: /^New sign-in/ }).click();
  await page.getByRole("heading", { name: "Was it you?" }).waitFor();
  await screenshot(page, "account-08-new-device");
  await page.getByRole("button", { name: "This was not me" }).click();
  await page.waitForURL(/\/login/);
  await tab.waitForURL(/\/login/);
  await expectSignedOut(elsewhere.page);
  assert.deepEqual([errors, elsewhere.errors], [[], []]);
  await elsewhere.context.close();
  await context.close();
});

test("an account is deleted by typing the word, and restored by signing in again", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  await page.getByRole("link", { name: "Open your profile" }).click();
  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete my account" });
  await dialog.getByLabel("Type DELETE to confirm").fill("delete");
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await dialog.getByText("Please type the word DELETE in capital letters.").waitFor();
  await screenshot(page, "account-03-delete");
  await dialog.getByLabel("Type DELETE to confirm").fill("DELETE");
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await page.getByText("Your account is closed. Sign in within 30 days if you change your mind.").waitFor();
  await page.waitForURL(/\/login/);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("user")), null);
  await screenshot(page, "account-04-closed");

  await signIn(page, player);
  await page.getByText("You have been logged in.").waitFor();
  await expectHome(page, player);
  assert.deepEqual(errors, []);
  await context.close();
});

test("guests can read the legal texts, and an unknown page shows Page Not Found", async () => {
  const { context, page, errors } = await openPhone(browser, "light");
  await page.goto(`${PLAYON_URL}/privacy`);
  await page.getByRole("heading", { name: "Privacy Policy" }).waitFor();
  await page.getByText("Last updated 26 July 2019").waitFor();
  await screenshot(page, "account-05-privacy");
  await page.goto(`${PLAYON_URL}/terms`);
  await page.getByRole("heading", { name: "Terms of Service" }).waitFor();
  await screenshot(page, "account-06-terms");
  await page.goto(`${PLAYON_URL}/no/such/place`);
  await page.getByRole("heading", { name: "Page Not Found" }).waitFor();
  await page.getByText("Oops! It looks like you took the wrong turn.").waitFor();
  await screenshot(page, "account-07-not-found");
  await page.getByRole("link", { name: "Home" }).click();
  await page.waitForURL(`${PLAYON_URL}/`);
  assert.deepEqual(errors, []);
  await context.close();
});
