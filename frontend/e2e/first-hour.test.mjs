// The first hour of a newcomer: from the link to a first game, and from there to an account whose runs count.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { gameAddress, gameIn } from "./gameFrame.mjs";
import { completeProfile, newPlayer, register } from "./players.mjs";

const SMALL_PHONE = { width: 360, height: 640 };
/** A cheetah without inputs loses its three lives within half a minute. */
const RUN_MS = 90_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a newcomer is three taps from a game, and keeps the next run by an account", async () => {
  const { context, page, errors } = await openPhone(browser, "dark", { viewport: SMALL_PHONE });
  await page.goto(PLAYON_URL);
  await page.getByRole("link", { name: "Try a game first" }).tap();
  const script = page.waitForResponse((response) => /\/play\/[^/]+\/assets\/index-/.test(response.url()));
  await page.getByRole("button", { name: "Practice" }).tap();
  assert.equal((await script).headers()["content-encoding"], "br");
  const game = gameIn(page);
  await game.getByRole("button", { name: "Let's go" }).tap();
  await game.getByRole("button", { name: "Pause" }).waitFor();
  await screenshot(page, "first-hour-01-game");
  await game.getByRole("button", { name: "Pause" }).tap();
  await game.getByRole("link", { name: "Leave" }).tap();

  await page.getByText("Practice needs no account").waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: /^Try / }).waitFor();

  await page.goto(`${PLAYON_URL}/games`);
  await page
    .getByRole("link", { name: /Duma Dash/ })
    .first()
    .tap();
  await page.getByRole("button", { name: "Practice" }).tap();
  await game.getByRole("button", { name: "Play", exact: true }).tap();
  await game.getByRole("button", { name: "Let's go" }).tap();
  await game.getByText("Sign up, and your next run counts").waitFor({ timeout: RUN_MS });
  await page.waitForTimeout(1_200);
  await screenshot(page, "first-hour-02-result");
  await game.getByRole("link", { name: "Sign up" }).tap();
  const player = newPlayer();
  await register(page, player);
  const begun = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/runs`, {
    timeout: RUN_MS,
  });
  await completeProfile(page, player);
  await page.getByRole("link", { name: "Continue" }).tap();
  // The run that the newcomer asked for begins by itself, and counts.
  assert.equal((await begun).status(), 200);
  assert.match((await gameAddress(page)).href, /\/play\/duma-dash\/\?username=/);
  await game.getByRole("button", { name: "Pause" }).waitFor();
  await screenshot(page, "first-hour-03-run");
  assert.deepEqual(errors, []);
  await context.close();
});
