// The screens that payments share: wallet, friend, amount, method, packages, and the card's page.
import { PLAYON_URL, screenshot } from "./browser.mjs";
import { chooseMethod, createPlayer, newPlayer, topUpHundred } from "./players.mjs";
import { codeSentTo, scriptHandset, typePin } from "./sandbox.mjs";

/** Timeout for a payment's callback. */
export const PAYMENT_MS = 45_000;

export async function openWallet(page) {
  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.getByRole("heading", { name: "Wallet" }).waitFor();
}

/** Creates a player with KES 100, and opens the wallet. */
export async function fundedPlayer(page) {
  const player = newPlayer();
  await scriptHandset(player.msisdn, { stk: "manual" });
  await createPlayer(page, player);
  await openWallet(page);
  await topUpHundred(page, player);
  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("100.00").waitFor();
  return player;
}

/** Goes from the wallet to the amount of a boost. */
export async function chooseFriend(page, { username }) {
  await page.getByRole("link", { name: /Boost a friend/ }).click();
  await page.getByLabel("Friend's username").fill(username);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(`@${username}`).waitFor();
}

/** Goes from the amount to its review, by a quick amount. */
export async function reviewAmount(page, shillings) {
  await page.getByRole("button", { name: shillings, exact: true }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.waitForURL(/\/account\/payment\/review$/);
}

/** Types an amount on the keypad, and goes on to its review. */
export async function typeAmount(page, shillings) {
  const keypad = page.getByRole("group", { name: "Keypad" });
  for (const digit of shillings) await keypad.getByRole("button", { name: digit, exact: true }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.waitForURL(/\/account\/payment\/review$/);
}

/**
 * Enters the code that is sent to a phone before the first withdrawal to it. On the first day of an account the phone
 * opens at once, and the withdrawal goes on.
 */
export async function provePhone(page, { msisdn }, picture) {
  const dialog = page.getByRole("dialog", { name: "Is this your phone?" });
  const field = dialog.getByLabel("Confirmation code");
  await field.waitFor();
  if (picture) await screenshot(page, picture);
  await field.fill(await codeSentTo(msisdn));
  await dialog.waitFor({ state: "hidden" });
}

/** Opens the packages, and chooses one and, on its review, a method. */
export async function choosePackage(page, name, method) {
  await page.goto(`${PLAYON_URL}/account/subscription`);
  await page.getByText("We have several plans").waitFor();
  await page.getByRole("button", { name: new RegExp(`(Choose|Add another day of) ${name}$`) }).click();
  await chooseMethod(page, method);
}

/** Goes from the review of a card payment to the waiting screen. Returns the tab with the provider's page. */
export async function openCardPage({ context, page }) {
  const [card] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("button", { name: /^Pay KES/ }).click(),
  ]);
  await page.getByRole("heading", { name: "Finish on the card page" }).waitFor();
  return card;
}

/** Pays on the card's page. */
export async function payByCard(card) {
  await card.getByRole("button", { name: /^Pay KES/ }).click();
}
