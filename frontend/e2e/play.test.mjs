// A run of a game: from home over a page on the game's own origin to a score that svc-games proved, and back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { gameAddress, gameIn } from "./gameFrame.mjs";
import { createPlayer, newPlayer } from "./players.mjs";
import { eventually } from "./sandbox.mjs";

/** A cheetah without inputs loses its three lives within half a minute. */
const RUN_MS = 90_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Goes from a game's page to the start of its run. */
async function startRun(game) {
  await game.getByRole("button", { name: "Play", exact: true }).click();
  await game.getByRole("button", { name: "Let's go" }).click();
}

test("a player plays a game, and the score of the run is proven", async () => {
  const { context, page, errors } = await openPhone(browser, "dark");
  await createPlayer(page, newPlayer());
  const featured = page.getByRole("link", { name: /Duma Dash/ }).first();
  await featured.waitFor();
  await screenshot(page, "play-01-home");
  await featured.click();
  await page.getByRole("heading", { name: "Duma Dash", exact: true }).waitFor();
  await screenshot(page, "play-02-details");

  const sent = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/scores`, {
    timeout: RUN_MS,
  });
  await page.getByRole("button", { name: "Play now" }).click();
  const address = await gameAddress(page);
  assert.match(address.href, /^http:\/\/duma-dash\.[^/]+\/play\/duma-dash\/\?username=[0-9a-f-]{36}/);
  const game = gameIn(page);
  await game.getByRole("button", { name: "Play", exact: true }).waitFor();
  await screenshot(page, "play-03-title");
  await startRun(game);
  const score = await (await sent).json();

  assert.equal(score.statusCode, 200);
  assert.equal(score.payload.trust, "PROVEN");
  await game.getByText("Proven run").first().waitFor();
  await screenshot(page, "play-04-result");
  await page.goto(`${PLAYON_URL}/dashboard`);
  const recent = page.getByRole("region", { name: "Recently played" });
  await recent.getByText("Duma Dash").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a guest practises without a form, and no score is sent", async () => {
  const { context, page, errors } = await openPhone(browser, "light");
  const scores = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/scores")) scores.push(request.url());
  });
  await page.goto(`${PLAYON_URL}/games`);
  await page.getByRole("link", { name: /Ajua/ }).first().click();
  await page
    .getByRole("link", { name: "Practice" })
    .or(page.getByRole("button", { name: "Practice" }))
    .click();
  const address = await gameAddress(page);
  await gameIn(page).getByText("Practice").first().waitFor();
  await screenshot(page, "play-05-practice");
  assert.equal(address.hash, "");
  assert.deepEqual(scores, []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("Back pauses a run, and then leaves the game for the page before it", async () => {
  const { context, page, errors } = await openPhone(browser, "dark");
  await page.goto(`${PLAYON_URL}/games`);
  await page.getByRole("link", { name: /Ajua/ }).first().click();
  await page.getByRole("button", { name: "Practice" }).click();
  const game = gameIn(page);
  // The game tells the app that a run goes on, and the app adds the entry that Back leaves.
  const hasEntry = () => page.waitForFunction(() => history.state?.usr?.isRun === true);
  await startRun(game);
  await hasEntry();
  await page.goBack();
  await game.getByRole("button", { name: "Resume" }).click();
  await hasEntry();
  await page.goBack();
  await game.getByRole("button", { name: "Resume" }).waitFor();
  await page.goBack();
  await page.waitForURL(`${PLAYON_URL}/games`);
  await page.getByRole("heading", { name: "Games" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("practice needs no network once a game was open", async () => {
  const { context, page } = await openPhone(browser, "dark");
  const practise = async () => {
    await page.goto(`${PLAYON_URL}/games`);
    await page.getByRole("link", { name: /Ajua/ }).first().click();
    await page.getByRole("button", { name: "Practice" }).click();
    await gameIn(page).getByRole("button", { name: "Play", exact: true }).waitFor();
  };
  const worker = context.waitForEvent("serviceworker", (each) => each.url().includes("/play/ajua/"));
  await practise();
  const isActive = async () => (await worker).evaluate(() => self.registration.active?.state === "activated");
  await eventually("the game's files are kept", isActive);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await context.setOffline(true);
  await practise();
  await startRun(gameIn(page));
  await gameIn(page).getByRole("button", { name: "Pause" }).waitFor();
  await context.close();
});
