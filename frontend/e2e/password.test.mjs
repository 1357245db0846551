// Passwords: reset by mail, change, and the mail that confirms an email.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, expectHome, expectSignedOut, newPlayer, register, signIn } from "./players.mjs";
import { mailPage, mailTo } from "./sandbox.mjs";

const NEW_PASSWORD = "habari-ya-asubuhi";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function fillNew(page, password, again = password) {
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Confirm password").fill(again);
}

test("a forgotten password is reset by the link of a mail, which works once", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const elsewhere = await openPhone(browser, "light");
  await elsewhere.page.goto(`${PLAYON_URL}/login`);
  await elsewhere.page.getByRole("button", { name: "Forgot password?" }).click();
  await elsewhere.page.getByText("Please enter your email").first().waitFor();
  await elsewhere.page.getByLabel("Email").fill(player.email);
  await elsewhere.page.getByRole("button", { name: "Forgot password?" }).click();
  await elsewhere.page.getByText("Password reset email has been sent successfully.").waitFor();
  await screenshot(elsewhere.page, "password-01-forgot");

  const mail = await mailTo(player.email, "reset-password");
  await elsewhere.page.goto(mailPage(mail));
  await screenshot(elsewhere.page, "password-02-mail");
  await elsewhere.page.goto(mail.link);
  await elsewhere.page.getByRole("heading", { name: "Set a new password" }).waitFor();
  await elsewhere.page.waitForURL((url) => url.search === "");
  await fillNew(elsewhere.page, "12345");
  await elsewhere.page.getByRole("button", { name: "Save password" }).click();
  await elsewhere.page.getByText("Password should be at least 6 characters.").first().waitFor();
  await fillNew(elsewhere.page, NEW_PASSWORD, "something-else");
  await elsewhere.page.getByRole("button", { name: "Save password" }).click();
  await elsewhere.page.getByText("The two passwords are not the same").waitFor();
  await screenshot(elsewhere.page, "password-03-reset");
  await fillNew(elsewhere.page, NEW_PASSWORD);
  await elsewhere.page.getByRole("button", { name: "Save password" }).click();
  await elsewhere.page.getByText("Password has been updated successfully.").waitFor();

  await signIn(elsewhere.page, player);
  await elsewhere.page.getByText("Wrong email or password.").waitFor();
  await signIn(elsewhere.page, { ...player, password: NEW_PASSWORD });
  await expectHome(elsewhere.page, player);

  await elsewhere.page.goto(mail.link);
  await fillNew(elsewhere.page, "another-password");
  await elsewhere.page.getByRole("button", { name: "Save password" }).click();
  await elsewhere.page.getByText("This link has expired").waitFor();
  await screenshot(elsewhere.page, "password-04-link-expired");

  // The reset has signed the earlier device out.
  await expectSignedOut(page);
  assert.deepEqual(elsewhere.errors, []);
  assert.deepEqual(errors, []);
  await elsewhere.context.close();
  await context.close();
});

test("changing a password signs out other devices, but not this one", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  const elsewhere = await openPhone(browser);
  await signIn(elsewhere.page, player);
  await expectHome(elsewhere.page, player);

  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("link", { name: "Change password" }).click();
  await page.getByRole("heading", { name: "Change password" }).waitFor();
  assert.equal(await page.getByLabel("Email").inputValue(), player.email);
  await page.getByLabel("Old password").fill("not-my-password");
  await fillNew(page, NEW_PASSWORD);
  assert.equal(await page.getByRole("main").getByRole("alert").count(), 0, "nothing is wrong yet");
  await screenshot(page, "password-05-change");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(/^Could not re-authenticate you\. If this error persists/).waitFor();
  await screenshot(page, "password-06-reauth-failed");
  await page.getByLabel("Old password").fill(player.password);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Password has been updated successfully.").waitFor();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();

  await page.reload();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  await expectSignedOut(elsewhere.page);
  assert.deepEqual(elsewhere.errors, []);
  assert.deepEqual(errors, []);
  await elsewhere.context.close();
  await context.close();
});

test("a sign-up's mail confirms the email for the player, and opening it twice gives the same result", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, player);
  const mail = await mailTo(player.email, "confirm-email");
  for (const time of ["first", "second"]) {
    await page.goto(mail.link);
    await page.getByRole("button", { name: "Confirm my email" }).click();
    await page.getByText("Your email is confirmed.").first().waitFor();
    if (time === "first") await screenshot(page, "password-07-email-confirmed");
  }
  await page.goto(`${PLAYON_URL}/confirm-email?token=forged`);
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await page.getByText("This link has expired").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("the owner of an address removes it from an account that someone else made", async () => {
  const stranger = newPlayer();
  const made = await openPhone(browser);
  await made.page.goto(`${PLAYON_URL}/login`);
  await register(made.page, stranger);
  const mail = await mailTo(stranger.email, "confirm-email");
  const { context, page, errors } = await openPhone(browser);
  await page.goto(mail.link);
  await page.getByLabel("Password of the account").waitFor();
  await screenshot(page, "password-08-confirm-email");
  await page.getByRole("button", { name: "This was not me" }).click();
  await page.getByRole("button", { name: "Remove my email" }).waitFor();
  await screenshot(page, "password-09-not-me");
  await page.getByRole("button", { name: "Remove my email" }).click();
  await page.getByRole("heading", { name: "Your email is removed" }).waitFor();
  await screenshot(page, "password-10-email-removed");
  // The address is free again: its owner signs up with it.
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, stranger);
  assert.deepEqual(errors, []);
  await made.context.close();
  await context.close();
});
