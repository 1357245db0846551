// The wallet's history and statements: they list a top-up, and not a withdrawal that M-Pesa refused. The copy of all
// data.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { fundedPlayer, openWallet, PAYMENT_MS, provePhone, reviewAmount } from "./payments.mjs";
import { textsOfPdf } from "./pdf.mjs";
import { scriptHandset } from "./sandbox.mjs";

let browser;
let phone;
let player;
before(async () => {
  browser = await launch();
  phone = await openPhone(browser);
  player = await fundedPlayer(phone.page);
});
after(() => browser?.close());

/** Downloads the statement of this month in a format; returns its name and its bytes. */
async function downloadStatement(page, format) {
  await page.getByRole("button", { name: "Statement" }).click();
  const sheet = page.getByRole("dialog", { name: "Statement" });
  await sheet.getByText(format, { exact: true }).click();
  await screenshot(page, `statement-${format.toLowerCase()}`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    sheet.getByRole("button", { name: "Download" }).click(),
  ]);
  await sheet.waitFor({ state: "hidden" });
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("a withdrawal that M-Pesa refuses is given back, fee and all, and the screens say so", async () => {
  const { page, errors } = phone;
  await scriptHandset(player.msisdn, { b2c: "not_registered" });
  await page.getByRole("link", { name: "Withdraw" }).click();
  await reviewAmount(page, "50");
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await page.getByRole("button", { name: "Withdraw KES 50.00" }).click();
  await provePhone(page, player);
  await page.getByRole("heading", { name: "Something happenned" }).waitFor({ timeout: PAYMENT_MS });
  const reason =
    "That number is not on M-Pesa. Your money is back in your wallet. Please use another number.";
  await page.getByText(reason).waitFor();
  await screenshot(page, "withdraw-refused");

  await page.getByRole("button", { name: "Go back" }).click();
  const row = page.getByRole("link", { name: /^KES 50\.00 was not sent/ });
  await row.getByText(reason).waitFor();
  const balance = page.getByRole("region", { name: "Your balance" });
  await balance.getByText("100.00").waitFor();
  await balance.getByText(/available/).waitFor({ state: "hidden" });
  await screenshot(page, "withdraw-refused-wallet");
  await page.reload();
  await page.getByRole("button", { name: /Top up.*\+KES 100\.00/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Withdrawal/ }).count(), 0, "it is not in the history");

  await page.goto(`${PLAYON_URL}/notifications`);
  await page.getByText("M-Pesa did not take KES 50.00. All of it is back in your wallet.").waitFor();
  await screenshot(page, "withdraw-refused-notification");
  assert.deepEqual(errors, []);
});

test("a statement is downloaded as CSV and as PDF, with the movement in it", async () => {
  const { page, errors } = phone;
  await openWallet(page);
  await page.getByRole("button", { name: /Top up.*\+KES 100\.00/ }).click();
  const receipt = await page
    .getByLabel("Receipt")
    .getByText(/^[A-Z\d]{10}$/)
    .textContent();

  const csv = await downloadStatement(page, "CSV");
  assert.match(csv.name, /^playon-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/);
  const [head, opening, movement, closing, end, ...rest] = csv.bytes.toString("utf8").split("\r\n");
  assert.equal(head, "\uFEFFDate,Time,Type,Detail,Amount (KES),Balance (KES),Receipt,Id");
  assert.match(opening, /^[\d-]{10},,Opening balance,,,0\.00,,$/);
  assert.match(
    movement,
    new RegExp(`^[\\d-]{10},[\\d:]{8},Top up,M-Pesa,100\\.00,100\\.00,${receipt},[\\da-f-]{36}$`),
  );
  assert.match(closing, /^[\d-]{10},,Closing balance,,,100\.00,,$/);
  assert.deepEqual([end, ...rest], [""], "one movement, and nothing of the refused withdrawal");

  const pdf = await downloadStatement(page, "PDF");
  assert.equal(pdf.name, csv.name.replace(/csv$/, "pdf"));
  const texts = textsOfPdf(pdf.bytes);
  const at = texts.indexOf("Top up");
  assert.deepEqual(texts.slice(at, at + 4), ["Top up", "M-Pesa", "+100.00", "100.00"]);
  assert.ok(texts.includes("Wallet statement"), texts.join("\n"));
  assert.ok(!texts.includes("Withdrawal"), texts.join("\n"));
  assert.deepEqual(errors, []);
});

test("a player asks for a copy of all data, is notified, and downloads it as a page", async () => {
  const { page, errors } = phone;
  await page.goto(`${PLAYON_URL}/account`);
  await page.getByRole("link", { name: /My data/ }).click();
  await page.getByRole("button", { name: "Ask for my copy" }).click();
  const downloadPage = page.getByRole("button", { name: "Download as a page" });
  await downloadPage.waitFor();
  await screenshot(page, "data-ready");
  const [download] = await Promise.all([page.waitForEvent("download"), downloadPage.click()]);
  assert.equal(download.suggestedFilename(), "playon-data.html");
  const file = await readFile(await download.path(), "utf8");
  assert.match(file, new RegExp(`<td>${player.email}</td>`));
  const copy = await page.context().newPage();
  await copy.setContent(file);
  await copy.getByRole("heading", { name: "Payments" }).waitFor();
  await screenshot(copy, "data-copy");
  await copy.close();
  await page.goto(`${PLAYON_URL}/notifications`);
  await page.getByRole("link", { name: /Your data is ready/ }).click();
  await downloadPage.waitFor();
  assert.deepEqual(errors, []);
});
