// axe-core on every screen, as a guest and signed in, in both themes; and large text on a small phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findings as findingsOn } from "./axe.mjs";
import { launch, openPhone, PLAYON_URL, settle } from "./browser.mjs";
import { cutOff, transitionsEnd } from "./largeText.mjs";
import { chooseMethod, completeProfile, expectHome, newPlayer, openField, register } from "./players.mjs";

const THEMES = ["dark", "light"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A phone, and `check`, which collects what axe finds on the screen it shows, in both themes. */
async function openChecked() {
  const { context, page, errors } = await openPhone(browser);
  const findings = [];
  const check = async (name) => {
    await settle(page);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await transitionsEnd(page);
      const violations = await findingsOn(page);
      findings.push(...violations.map((violation) => `${name}, ${colorScheme}: ${violation}`));
    }
    findings.push(...(await cutOff(page)).map((text) => `${name}, large text: '${text}' is cut off`));
  };
  const open = async (name, path) => {
    await page.goto(PLAYON_URL + path);
    await check(name);
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  return { context, page, errors, findings, check, open };
}

test("a guest's screens have no accessibility findings in either theme", async () => {
  const { context, page, errors, findings, check, open } = await openChecked();
  await open("welcome", "/");
  for (const slide of [1, 2, 3]) await open(`slide ${slide}`, `/?slide=${slide}`);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await check("login");
  await page.getByLabel("Email").fill("wanjiru@example.com");
  await page.getByLabel("Password", { exact: true }).fill("abc");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Password should be at least 6 characters.").waitFor();
  await check("register with an error");
  await page.getByRole("button", { name: "PHONE" }).click();
  await page.getByLabel("Phone Number").waitFor();
  await check("phone sign-in");
  await open("reset password", "/reset-password?token=none");
  await open("incomplete reset link", "/reset-password");
  await open("confirm email", "/confirm-email?token=none");
  await open("incomplete confirmation link", "/confirm-email");
  await open("contact us", "/account/feedback");
  await open("privacy", "/privacy");
  await open("terms", "/terms");
  await open("page not found", "/no/such/place");
  await open("offline", "/no-internet");
  await open("guest home", "/");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").waitFor();
  await check("guest menu");
  assert.deepEqual(findings, []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a player's screens have no accessibility findings in either theme", async () => {
  const player = newPlayer();
  const { context, page, errors, findings, check, open } = await openChecked();
  await page.goto(`${PLAYON_URL}/register`);
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, player);
  await check("incomplete profile");
  const dialog = await openField(page, "Username");
  await check("edit dialog");
  await dialog.getByRole("button", { name: "Close" }).click();
  await completeProfile(page, player);
  await check("complete profile");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("dialog").waitFor();
  await check("delete account");
  await open("referral", "/referral");
  await page.getByRole("button", { name: "Continue" }).click();
  await expectHome(page, player);
  await check("home");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").waitFor();
  await check("menu");
  await open("account", "/account");
  await page.getByRole("button", { name: /^Sign out everywhere/ }).click();
  await page.getByRole("dialog").waitFor();
  await check("sign out everywhere");
  await open("country", "/profile/country");
  await page.getByRole("combobox").fill("zzz");
  await page.getByText("Oops, there's nothing here.").waitFor();
  await check("country without a match");
  await open("currency", "/profile/currency");
  await open("change password", "/account/change-password");
  await open("spending and limits", "/account/spending");
  await open("phones for withdrawals", "/account/phones");
  await open("notifications", "/notifications");
  await open("tournaments", "/tournaments");
  const boards = page.locator('a[href^="/tournaments/leaderboard/"]');
  await boards.first().waitFor();
  const paths = await boards.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const path of new Set(paths)) await open(path, path);
  await open("hall of fame", "/tournaments/hall-of-fame");
  await open("chat rooms", "/chat-room");
  await open("wallet", "/account/wallet");
  await page.getByRole("link", { name: "Top up" }).first().click();
  await page.getByRole("heading", { name: "Top up amount" }).waitFor();
  const keypad = page.getByRole("group", { name: "Keypad" });
  for (const digit of "123450") await keypad.getByRole("button", { name: digit, exact: true }).click();
  await check("long amount");
  await page.getByRole("button", { name: "50", exact: true }).click();
  await check("amount");
  await page.getByRole("button", { name: "Review" }).click();
  const sheet = page.getByRole("dialog", { name: "Payment Method" });
  await sheet.waitFor();
  await check("payment methods");
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("heading", { name: "Review" }).waitFor();
  await check("review without a method");
  await page.getByRole("button", { name: "Proceed" }).click();
  await sheet.getByRole("button", { name: /m-?pesa/i }).click();
  await page.getByLabel("M-Pesa phone number").fill(player.phone);
  await check("review");
  await page.getByRole("button", { name: /^Pay KES/ }).click();
  await page.waitForURL(/\/waiting\?payment=/);
  await page.locator("h1").first().waitFor();
  await check("waiting");
  await open("packages", "/account/subscription");
  await page.getByRole("button", { name: "Choose Bronze" }).click();
  await chooseMethod(page, /^Safaricom airtime/);
  await page.getByRole("button", { name: "Let's do it" }).waitFor();
  await check("review by airtime");
  assert.deepEqual(findings, []);
  assert.deepEqual(errors, []);
  await context.close();
});
