// The limits and breaks that a player sets in the account, and what they refuse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { fundedPlayer, openWallet, reviewAmount } from "./payments.mjs";
import { expectHome, signIn, toHundred } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a player sets a limit a day, and a top-up above it is refused with what is left", async () => {
  const { context, page, errors } = await openPhone(browser, "dark", {
    viewport: { width: 360, height: 800 },
  });
  const player = await fundedPlayer(page);
  await page.goto(new URL("/account", page.url()).href);
  await page.getByRole("link", { name: /Spending and limits/ }).click();
  const today = page.getByRole("list", { name: "Today" });
  await today.getByRole("button", { name: /Money in.*KES 100\.00/ }).click();
  const sheet = page.getByRole("dialog", { name: "Daily limit on money in" });
  await sheet.getByLabel("Limit in KES").fill("150");
  await screenshot(page, "spending-01-sheet");
  await sheet.getByRole("button", { name: "Set limit" }).click();
  await today.getByText("Limit KES 150.00").waitFor();
  await screenshot(page, "spending-02-limit");

  await today.getByRole("button", { name: /Money in/ }).click();
  await sheet.getByRole("button", { name: "Remove the limit" }).click();
  await today.getByText(/No limit from/).waitFor();
  await screenshot(page, "spending-03-waits");

  await openWallet(page);
  await (await toHundred(page, player)).click();
  await page.getByText("Your own limit is KES 150.00 a day. KES 50.00 of it is left today.").waitFor();
  await screenshot(page, "spending-04-refused");
  assert.deepEqual(
    errors.filter((text) => !/Failed to load resource/.test(text)),
    [],
  );
  await context.close();
});

test("a player on a break signs in again, and can neither play nor pay in, but withdraw", async () => {
  const { context, page, errors } = await openPhone(browser, "dark", {
    viewport: { width: 360, height: 800 },
  });
  const player = await fundedPlayer(page);
  await page.goto(`${PLAYON_URL}/account/spending`);
  await page.getByRole("button", { name: /Take a break/ }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByText("1 week").click();
  await screenshot(page, "break-01-length");
  await sheet.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog", { name: "A break of 1 week?" }).waitFor();
  await screenshot(page, "break-02-sure");
  await sheet.getByRole("button", { name: "Start my break" }).click();
  await page.getByText(/^Your break has begun/).waitFor();
  await signIn(page, player);
  await expectHome(page, player);

  await openWallet(page);
  await (await toHundred(page, player)).click();
  await page.getByText(/^You are on a break until/).waitFor();
  await screenshot(page, "break-03-refused");
  await page.goto(`${PLAYON_URL}/games`);
  await page.getByRole("link", { name: /Ajua/ }).first().click();
  await page.getByRole("button", { name: "Play now" }).click();
  await page.getByText(/^You are on a break until/).waitFor();
  await screenshot(page, "break-05-no-play");
  await openWallet(page);
  await page.getByRole("link", { name: /Withdraw/ }).click();
  await reviewAmount(page, "50");
  await page.goto(`${PLAYON_URL}/account/spending`);
  await page.getByText(/^You are on a break until/).waitFor();
  await screenshot(page, "break-04-until");
  assert.deepEqual(
    errors.filter((text) => !/Failed to load resource/.test(text)),
    [],
  );
  await context.close();
});
