// A phone whose browser is old and keeps nothing: from the first visit to money in the wallet.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone } from "./browser.mjs";
import {
  completeProfile,
  finishReferralStep,
  newPlayer,
  onboard,
  register,
  topUpHundred,
} from "./players.mjs";
import { scriptHandset, typePin } from "./sandbox.mjs";

/** Timeout for a payment's callback. */
const PAYMENT_MS = 30_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Takes away what Chrome 92 lacks, and refuses both storages, as a browser does whose owner blocks cookies. */
function makeOld() {
  delete URL.canParse;
  delete URL.parse;
  delete AbortSignal.timeout;
  delete AbortSignal.any;
  delete AbortSignal.prototype.throwIfAborted;
  delete Object.hasOwn;
  delete window.structuredClone;
  for (const storage of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, storage, {
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  }
}

test("a player signs up, tops up by M-Pesa and sees the money on an old phone that keeps nothing", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await context.addInitScript(makeOld);
  await scriptHandset(player.msisdn, { stk: "manual" });
  await onboard(page, "old-phone");
  await register(page, player);
  await completeProfile(page, player);
  await finishReferralStep(page, player);
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Wallet" }).click();
  await topUpHundred(page, player);
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN/ }).waitFor();
  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("100.00").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
