// A live run of Duma Dash: its pieces are committed while it is played, also over a line that is cut and a reload.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { gameAddress, gameIn } from "./gameFrame.mjs";
import { createPlayer, newPlayer } from "./players.mjs";

const SMALL_PHONE = { width: 360, height: 640 };
/** A piece lasts five seconds. */
const PIECE_MS = 20_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Plays by what the rules' state says, as long as `window.plays` is not false. */
function playByState() {
  const [TICK, DISTANCE, Y, VY, SPEED, SLIDE, JUMPS, HEADER, OBSTACLES, WORDS] = [
    0, 1, 2, 3, 4, 5, 12, 20, 10, 6,
  ];
  const [TALL_MOUND, NESTS, BIRD, WATER, BIRD_SPEED] = [2, 4, 5, 6, 300];
  const instantiate = WebAssembly.instantiate;
  let rules = null;
  let seen = -1;
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate.apply(WebAssembly, args);
    rules ??= result.instance.exports;
    return result;
  };
  const press = (code) => {
    window.dispatchEvent(new KeyboardEvent("keydown", { code }));
    window.dispatchEvent(new KeyboardEvent("keyup", { code }));
  };
  const choose = (state) => {
    const here = state[DISTANCE] / 256;
    const ahead = [];
    for (let at = HEADER; at < state.length; at += WORDS)
      if (state[at] !== 0 && state[at + 5] >= 0 && state[at + 1] / 256 + state[at + 2] >= here - 20)
        ahead.push(at);
    const [next] = ahead.sort((a, b) => state[a + 1] - state[b + 1]);
    if (next === undefined) return null;
    const [kind, jumps, vy] = [state[next], state[JUMPS], state[VY]];
    const speed = (state[SPEED] + (kind === BIRD ? BIRD_SPEED : 0)) / 256;
    const ticks = (state[next + 1] / 256 - here - 24) / speed;
    if (kind === NESTS || kind === BIRD) {
      const slides = jumps > 0 ? vy > -3000 && ticks < 12 : state[SLIDE] < 8;
      return ticks <= 10 && slides ? "ArrowDown" : null;
    }
    if (kind === TALL_MOUND && jumps === 1) return vy < 1200 && ticks < 8 ? "Space" : null;
    if (jumps === 0) return ticks <= ({ [TALL_MOUND]: 13, [WATER]: 5 }[kind] ?? 8) ? "Space" : null;
    const isTooShort = vy < -1400 && state[Y] / 256 < state[next + 4] + 45 && ticks < 6;
    return jumps === 1 && isTooShort ? "Space" : null;
  };
  const frame = () => {
    requestAnimationFrame(frame);
    if (!rules || window.plays === false) return;
    const state = new Int32Array(rules.memory.buffer, rules.state(), HEADER + OBSTACLES * WORDS);
    // A key counts in the next tick, so the state of a tick is looked at once.
    if (state[TICK] === seen) return;
    seen = state[TICK];
    const code = choose(state);
    if (code) press(code);
  };
  requestAnimationFrame(frame);
}

/** Opens Duma Dash as a new player, and begins a run that plays by itself. */
async function openRun() {
  const opened = await openPhone(browser, "dark", { viewport: SMALL_PHONE });
  const { context, page } = opened;
  await createPlayer(page, newPlayer());
  await context.addInitScript(playByState);
  const pieces = [];
  page.on("response", async (response) => {
    if (response.url() !== `${PLAYON_URL}/api/runs/pieces` || response.request().method() !== "POST") return;
    const { index } = response.request().postDataJSON();
    pieces.push({ index, status: response.status() });
  });
  const committed = async (index) => {
    const end = Date.now() + PIECE_MS;
    while (!pieces.some((piece) => piece.index === index && piece.status === 200)) {
      assert.ok(Date.now() < end, `piece ${index} is committed: ${JSON.stringify(pieces)}`);
      await page.waitForTimeout(100);
    }
  };
  await page.goto(`${PLAYON_URL}/games`);
  await page
    .getByRole("link", { name: /Duma Dash/ })
    .first()
    .tap();
  await page.getByRole("button", { name: "Play now" }).tap();
  await gameAddress(page);
  const game = gameIn(page);
  const begun = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/runs`);
  await game.getByRole("button", { name: "Play", exact: true }).tap();
  await game.getByRole("button", { name: "Let's go" }).tap();
  assert.equal((await (await begun).json()).payload.nextSeeds.length, 1);
  return { ...opened, game, committed };
}

/** Keeps what the app gives to the phone's share sheet. */
function keepShared() {
  navigator.canShare = () => true;
  navigator.share = async ({ text, url, files }) => {
    const [picture] = files;
    const bytes = [...new Uint8Array(await picture.arrayBuffer())];
    window.shared = { text, url, type: picture.type, bytes };
  };
}

/** Answers the calls of a game's page at this path in place of the app. */
const answer = (page, path, status, body) =>
  page.route(`${PLAYON_URL}/api/${path}`, (route) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" };
    return route.request().method() === "OPTIONS"
      ? route.fulfill({ status: 204, headers })
      : route.fulfill({ status, headers, json: { statusCode: status, ...body } });
  });
const TOO_LATE = { statusMessage: "The run has rested too long.", payload: { code: "RUN_TOO_LATE" } };

test("a live run goes on over a cut line and a reload, is proven, and is shared", {
  timeout: 240_000,
}, async () => {
  const { context, page, errors, game, committed } = await openRun();
  await committed(0);

  // The page plays to the end of the pieces that it has, and waits.
  await context.setOffline(true);
  await game.locator(".count p").getByText("Waiting for the network").waitFor({ timeout: PIECE_MS });
  await screenshot(page, "live-run-waits");
  await context.setOffline(false);
  await game.locator(".count").waitFor({ state: "hidden", timeout: PIECE_MS });
  await committed(2);

  await page.reload();
  await game.getByText("Your run waits").waitFor();
  await game.getByRole("button", { name: "Resume" }).tap();
  await game.locator(".count").waitFor({ state: "hidden" });
  await committed(3);
  await game.getByRole("button", { name: "Pause" }).tap();
  await game.getByText("may rest for two minutes").waitFor();
  await screenshot(page, "live-run-rests");
  await game.getByRole("button", { name: "Resume" }).tap();

  const score = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/scores`, {
    timeout: 60_000,
  });
  await game.locator("body").evaluate(() => {
    window.plays = false;
  });
  const { statusCode, payload } = await (await score).json();
  assert.deepEqual([statusCode, payload.trust], [200, "PROVEN"]);
  await game.getByText("Proven run").first().waitFor();
  await screenshot(page, "live-run-result");

  await page.evaluate(keepShared);
  await game.getByRole("button", { name: "Share" }).tap();
  await page.waitForFunction(() => window.shared);
  const { bytes, ...shared } = await page.evaluate(() => window.shared);
  assert.deepEqual(shared, {
    text: `My score in Duma Dash: ${payload.points.toLocaleString("en")}. Can you beat it?`,
    url: page.url().replace(/\/play$/, ""),
    type: "image/jpeg",
  });
  assert.ok(bytes.length < 300_000, `${bytes.length} bytes`);
  await writeFile(new URL("artifacts/share.jpg", import.meta.url), Uint8Array.from(bytes));
  assert.deepEqual(errors, []);
  await context.close();
});

test("a live run that rested too long ends, and says what counts", { timeout: 120_000 }, async () => {
  const { context, page, game, committed } = await openRun();
  await committed(0);
  const part = { points: 3, best: 3, trust: "PROVEN", rank: null };
  await answer(page, "scores", 200, { statusMessage: "OK", payload: part });
  await answer(page, "runs/pieces", 422, TOO_LATE);
  await game
    .getByText("3 points count: the rest came more than two minutes late.")
    .waitFor({ timeout: PIECE_MS });
  for (const cheer of ["You ran till dawn!", "First score!"])
    assert.equal(await game.getByText(cheer).count(), 0);
  assert.equal(await game.locator(".count").isHidden(), true);
  await screenshot(page, "live-run-cut");
  await context.close();
});

test("a live run whose beginning was missed is asked for again", { timeout: 120_000 }, async () => {
  const { context, page, game, committed } = await openRun();
  await answer(page, "runs/pieces", 422, TOO_LATE);
  await game.getByText("so it begins again.").waitFor({ timeout: PIECE_MS });
  await page.unroute(`${PLAYON_URL}/api/runs/pieces`);
  const begun = page.waitForResponse((response) => response.url() === `${PLAYON_URL}/api/runs`);
  await game.getByRole("button", { name: "Play", exact: true }).tap();
  assert.equal((await (await begun).json()).payload.nextSeeds.length, 1);
  await committed(0);
  await context.close();
});
