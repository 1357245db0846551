// The browser engines of players' phones: from the first visit to a game, money in the wallet and a room.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { firefox } from "playwright-core";
import { launch, openPhone, PLAYON_URL, refuseStorage } from "./browser.mjs";
import { gameIn } from "./gameFrame.mjs";
import { oldChromium } from "./oldChromium.mjs";
import {
  completeProfile,
  createPlayer,
  finishReferralStep,
  newPlayer,
  onboard,
  register,
  topUpHundred,
} from "./players.mjs";
import { scriptHandset, typePin } from "./sandbox.mjs";
import { joinRoom, say, unique } from "./talk.mjs";
import { hasWebKit, launchWebKit } from "./webkit.mjs";

/** Timeout for a payment's callback. */
const PAYMENT_MS = 30_000;
const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

/** Begins a practice run of the game that the welcome screen offers, and leaves it. */
async function tryGame(page) {
  await page.goto(PLAYON_URL);
  await page.getByRole("link", { name: "Try a game first" }).click();
  await page.getByRole("button", { name: "Practice" }).click();
  const game = gameIn(page);
  await game.getByRole("button", { name: "Let's go" }).click();
  await game.getByRole("button", { name: "Pause" }).click();
  await game.getByRole("link", { name: "Leave" }).click();
  await page.getByText("Practice needs no account").waitFor();
}

/** Signs up, tops up KES 100 by M-Pesa, and sees them in the wallet. */
async function topUp(page, name) {
  const player = newPlayer();
  await scriptHandset(player.msisdn, { stk: "manual" });
  await onboard(page, name);
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
}

/** Creates a player with a complete profile, whose handset waits for a PIN. */
async function existingPlayer() {
  const player = newPlayer();
  await scriptHandset(player.msisdn, { stk: "manual" });
  const browser = await launch();
  try {
    const { page } = await openPhone(browser);
    await createPlayer(page, player);
    return player;
  } finally {
    await browser.close();
  }
}

/** Opens a phone for `steps`, after which the page may have logged no error. */
async function withPhone(browser, steps) {
  const { context, page, errors } = await openPhone(browser);
  await steps(page);
  assert.deepEqual(errors, []);
  await context.close();
}

/** Tries a game as a guest, then goes as a new player from the welcome screen to a message with a link in a room. */
async function useApp(browser, name) {
  await withPhone(browser, tryGame);
  await withPhone(browser, async (page) => {
    await topUp(page, name);
    await joinRoom(page, "Cup talk");
    const text = unique();
    await say(page, `https://playon.example/${text}`);
    // Only a message that the room has stored can be deleted.
    const message = page.getByRole("article").filter({ hasText: text });
    await message.getByRole("button", { name: /^Delete this message/ }).waitFor();
  });
}

const noOldChromium = process.arch !== "x64" && "the package has no other processor's Chromium";

test("a player plays, pays and writes in Chromium 92, the oldest that PlayOn supports", {
  skip: noOldChromium,
}, async (t) => {
  const browser = await launch([], await oldChromium());
  t.after(() => browser.close());
  assert.equal(browser.version().split(".")[0], "92");
  await useApp(browser, "chromium-92");
  await withPhone(browser, async (page) => {
    await page.addInitScript(refuseStorage);
    await topUp(page, "no-storage");
  });
});

test("a player plays, pays and writes in WebKitGTK", {
  skip: !hasWebKit && "WebKitGTK is not installed",
}, async (t) => {
  const player = await existingPlayer();
  const screen = await launchWebKit(t);
  await screen.goto(PLAYON_URL);
  await screen.press("Try a game first");
  await screen.press("Practice");
  for (const name of ["Let's go", "Pause", "Leave"]) await screen.pressInGame(name);
  await screen.see("Practice needs no account");

  await screen.goto(`${PLAYON_URL}/login`);
  await screen.type("Email", player.email);
  await screen.type("Password", player.password);
  await screen.press("Continue");
  await screen.see("Hi Wanjiru");
  await screen.goto(`${PLAYON_URL}/account/wallet`);
  await screen.press("Top up");
  for (const key of ["1", "0", "0", "Review"]) await screen.press(key);
  await screen.press("M-Pesa");
  await screen.press("Pay KES 100.00");
  await screen.see("Enter your M-Pesa PIN");
  await typePin(player.msisdn, "1234");
  await screen.see("Thank you!");

  await screen.goto(`${PLAYON_URL}/chat-room`);
  await screen.press("Cup talk");
  await screen.press("Join", "*[@role='dialog']");
  const text = unique();
  await screen.type("Type a message", `https://playon.example/${text}`);
  await screen.press("Send");
  await screen.exists(
    `//*[self::article or @role="article"][contains(., "${text}")]//button[starts-with(@aria-label, "Delete this message")]`,
  );
});

test("a player plays, pays and writes in Firefox", {
  skip: !existsSync(FIREFOX) && "Firefox is not installed",
}, async (t) => {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: FIREFOX,
    // The driver sends no taps to a frame that has a process of its own.
    firefoxUserPrefs: { "fission.autostart": false },
  });
  t.after(() => browser.close());
  await useApp(browser, "firefox");
});
