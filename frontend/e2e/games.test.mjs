// A whole run of each game by touch: from the catalogue to the score that svc-games proved.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { gameAddress, gameIn } from "./gameFrame.mjs";
import { createPlayer, newPlayer } from "./players.mjs";

/** Maneno lasts 90 s, and a game of Ajua about as long. */
const RUN_MS = 180_000;
const SMALL_PHONE = { width: 360, height: 640 };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens a game from the catalogue, as a new player, up to its first move. */
async function openGame(name, options = {}) {
  const { context, page, errors } = await openPhone(browser, "dark", { viewport: SMALL_PHONE, ...options });
  await createPlayer(page, newPlayer());
  await page.goto(`${PLAYON_URL}/games`);
  await page
    .getByRole("link", { name: new RegExp(name) })
    .first()
    .tap();
  await page.getByRole("button", { name: "Play now" }).tap();
  const address = await gameAddress(page);
  const ticket = new URLSearchParams(address.hash.slice(1));
  const game = gameIn(page);
  const score = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/scores`, {
    timeout: RUN_MS,
  });
  score.catch(() => {});
  const begun = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/runs`);
  await game.getByRole("button", { name: "Play", exact: true }).tap();
  await game.getByRole("button", { name: "Let's go" }).tap();
  const { seed, level } = (await (await begun).json()).payload;
  const bytes = await game
    .locator("body")
    .evaluate(
      async (_, url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())],
      ticket.get("rules"),
    );
  const { instance } = await WebAssembly.instantiate(new Uint8Array(bytes), {});
  const init = () => instance.exports.init(BigInt(seed), level);
  return { context, page, game, errors, score, rules: instance.exports, init };
}

/**
 * Taps a button until it is gone. Chromium makes no click of a tap that comes a quarter of a second after a page was
 * loaded, before a person could tap; a person whose tap does nothing taps again.
 */
async function tapAway(button) {
  for (let taps = 0; taps < 5; taps++) {
    await button.tap();
    const isGone = await button.waitFor({ state: "hidden", timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (isGone) return;
  }
  assert.fail("five taps did nothing");
}

/** Reads the numbers of the rules' state. */
const stateOf = (rules, count) => new Int32Array(rules.memory.buffer, rules.state(), count);

async function expectProven({ context, page, game, errors, score }, picture) {
  const reply = await (await score).json();
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.payload.trust, "PROVEN");
  await game.getByText("Proven run").first().waitFor();
  await page.waitForTimeout(1_200);
  await screenshot(page, picture);
  await game.getByRole("link", { name: "Back to PlayOn" }).tap();
  await page.getByRole("button", { name: "Play now" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
  return reply.payload.points;
}

/** A finger that is drawn over points without leaving the glass. */
async function drag(page, points) {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [points[0]]);
  for (const point of points.slice(1)) await touch("touchMove", [point]);
  await touch("touchEnd", []);
  await cdp.detach();
}

async function middleOf(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

test("a player wins points in Ajua by touch", async () => {
  // Seeds move without arcs under reduced motion, so the run is short.
  const opened = await openGame("Ajua", { reducedMotion: "reduce" });
  const { page, game, rules, init } = opened;
  const played = [];
  const replay = () => {
    init();
    for (const input of played) rules.step(input);
  };
  const PHASE = 1;
  const MINE = 4;
  init();
  if (stateOf(rules, 12)[PHASE] === 0) {
    await game.locator(".chooser button").first().tap();
    played.push(8);
  }
  await screenshot(page, "games-ajua");
  for (;;) {
    const gains = [];
    for (let pit = 0; pit < 8; pit++) {
      replay();
      gains.push(rules.step(pit) === 2 ? -1 : (stateOf(rules, 12)[MINE] ?? 0));
    }
    const pit = gains.indexOf(Math.max(...gains));
    const button = game.locator(`button[data-pit="${pit}"]`);
    await game.locator(`button[data-pit="${pit}"][aria-disabled="false"]`).waitFor();
    await button.tap();
    played.push(pit);
    replay();
    if (stateOf(rules, 12)[PHASE] === 2) break;
    await page
      .locator(`button[data-pit][aria-disabled="true"]`)
      .first()
      .waitFor({ timeout: 300 })
      .catch(() => {});
  }
  assert.ok((await expectProven(opened, "games-ajua-result")) > 0);
});

test("a player finds words in Maneno by touch", async () => {
  const opened = await openGame("Maneno");
  const { page, game, rules, init } = opened;
  const STANDING = 8;
  const near = (a, b) =>
    Math.max(Math.abs((a % 5) - (b % 5)), Math.abs(Math.floor(a / 5) - Math.floor(b / 5))) === 1;
  init();
  const words = [];
  const search = (path) => {
    if (words.length >= 8) return;
    if (path.length >= 3) {
      init();
      for (const cell of path) rules.step(cell + 1);
      if (stateOf(rules, 16)[STANDING] === 1) {
        words.push(path);
        return;
      }
    }
    if (path.length === 4) return;
    for (let cell = 0; cell < 25; cell++)
      if (near(path.at(-1), cell) && !path.includes(cell)) search([...path, cell]);
  };
  for (let cell = 0; cell < 25; cell++) search([cell]);
  assert.ok(words.length > 0, "each grid has words");
  await game.locator(".count").waitFor({ state: "hidden" });
  await game.locator(".board:not(.covered)").waitFor();
  for (const path of words) {
    const points = [];
    for (const cell of path) points.push(await middleOf(game.locator(".board .face").nth(cell)));
    await drag(page, points);
  }
  await screenshot(page, "games-maneno");
  // The phone kills the page: the run goes on with its words, which are kept every second.
  await page.waitForTimeout(1_200);
  const found = await game.locator(".found li").count();
  assert.ok(found > 0);
  await page.reload();
  await game.getByText("Your run waits").waitFor();
  await tapAway(game.getByRole("button", { name: "Resume" }));
  await game.locator(".board:not(.covered)").waitFor();
  assert.equal(await game.locator(".found li").count(), found);
  assert.ok((await expectProven(opened, "games-maneno-result")) > 0);
});

test("a player jumps in Duma Dash by touch", async () => {
  const opened = await openGame("Duma Dash");
  const { page, game, score } = opened;
  let isOver = false;
  score.then(() => {
    isOver = true;
  });
  await game.locator(".count").waitFor({ state: "hidden" });
  for (let jump = 0; !isOver; jump++) {
    if (jump === 4) await screenshot(page, "games-duma-dash");
    await page.touchscreen.tap(180, 520);
    await page.waitForTimeout(900);
  }
  assert.ok((await expectProven(opened, "games-duma-dash-result")) > 0);
});
