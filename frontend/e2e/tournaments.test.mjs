// A tournament: from the list through a run that counts to the own rank on the board. The demo content has a tournament
// of each stage.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot, settle } from "./browser.mjs";
import { gameAddress, gameIn } from "./gameFrame.mjs";
import { createPlayer, newPlayer } from "./players.mjs";

/** A cheetah without inputs loses its three lives within half a minute. */
const RUN_MS = 90_000;
/** A minute, and some time for a busy machine. */
const MINUTE_MS = 75_000;
const SIZES = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Whether the page can be scrolled sideways, which none should. */
const isTooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Goes from a game's page to the start of its run. */
async function startRun(game) {
  await game.getByRole("button", { name: "Play", exact: true }).click();
  await game.getByRole("button", { name: "Let's go" }).click();
}

test("a player enters a tournament from the list, plays, and stands on its board", async () => {
  const { context, page, errors } = await openPhone(browser, "dark");
  await createPlayer(page, newPlayer());
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Tournaments" }).click();

  const ongoing = page.getByRole("region", { name: "Ongoing" });
  await ongoing.getByRole("link", { name: "Friday Dash", exact: true }).waitFor();
  await ongoing.getByRole("link", { name: "Ajua Open", exact: true }).waitFor();
  const upcoming = page.getByRole("region", { name: "Upcoming" });
  await upcoming.getByRole("link", { name: "Maneno Night", exact: true }).waitFor();
  assert.equal(
    await upcoming.getByRole("link", { name: /^(Play|View)/ }).count(),
    0,
    "nothing to press before it starts",
  );
  const order = await page.getByRole("heading", { level: 2 }).allTextContents();
  assert.deepEqual(order, ["Ongoing", "Upcoming", "Expired"]);
  // The tournament has days left, so its timer shows minutes.
  const timer = await ongoing.getByRole("timer").first().elementHandle();
  const before = await timer.textContent();
  const hasTicked = ([element, text]) => element.textContent !== text;
  await page.waitForFunction(hasTicked, [timer, before], { timeout: MINUTE_MS });
  await screenshot(page, "tournaments-01-list");

  await ongoing.getByRole("link", { name: "Friday Dash", exact: true }).click();
  await page.getByRole("heading", { name: "Friday Dash", level: 1 }).waitFor();
  await page.getByRole("region", { name: "Gold" }).getByText("Golden Duma").waitFor();
  await settle(page);
  assert.equal(
    await page.getByRole("complementary", { name: "Your rank" }).count(),
    0,
    "no rank before a run",
  );
  await screenshot(page, "tournaments-02-board");

  const sent = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/scores`, {
    timeout: RUN_MS,
  });
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await page.getByText(/^Your run counts/).waitFor();
  await screenshot(page, "tournaments-03-game");
  const started = page.waitForResponse((response) => /\/games\/[^/]+\/sessions$/.test(response.url()));
  await page.getByRole("button", { name: "Play now" }).click();
  // The reply's body is gone with the page that requested it, so only its status is checked.
  assert.equal((await started).status(), 200);
  assert.ok((await gameAddress(page)).searchParams.get("tournamentId"));
  await startRun(gameIn(page));
  const score = await (await sent).json();
  assert.equal(score.payload.trust, "PROVEN");

  await page.goto(`${PLAYON_URL}/tournaments`);
  await page.getByRole("link", { name: "Friday Dash", exact: true }).click();
  const own = page.getByRole("complementary", { name: "Your rank" });
  await own
    .getByRole("status")
    .getByText(/^You are [\d,]+(st|nd|rd|th)$/)
    .waitFor({ state: "attached" });
  await settle(page);
  await screenshot(page, "tournaments-04-own-rank");

  assert.deepEqual(errors, []);
  await context.close();
});

test("the hall of fame and every board fit a small phone and a desktop, in light too", async () => {
  const { context, page, errors } = await openPhone(browser, "light");
  await createPlayer(page, newPlayer());
  const reply = await page.request.get(`${PLAYON_URL}/api/tournaments`);
  const { payload: tournaments } = await reply.json();
  const boards = tournaments.map(({ id }) => `/tournaments/leaderboard/${encodeURIComponent(id)}`);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const path of ["/tournaments", "/tournaments/hall-of-fame", ...boards]) {
      await page.goto(PLAYON_URL + path);
      await settle(page);
      assert.equal(await isTooWide(page), false, `${path} at ${size.width} px`);
    }
    await screenshot(page, `tournaments-06-${size.width}`);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("the other form of a board's address leads to the board, and without an id to the list", async () => {
  const { context, page } = await openPhone(browser);
  await createPlayer(page, newPlayer());
  const { payload } = await (await page.request.get(`${PLAYON_URL}/api/tournaments`)).json();
  const [{ id, name }] = payload;
  await page.goto(`${PLAYON_URL}/tournaments/leaderboard?id=${encodeURIComponent(id)}`);
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/tournaments/leaderboard/${id}`);
  await page.goto(`${PLAYON_URL}/tournaments/leaderboard`);
  await page.getByRole("heading", { name: "Tournaments", level: 1 }).waitFor();
  await context.close();
});
