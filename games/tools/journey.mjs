// Tests behaviour that only a browser shows, on the built games: run `npm run build` first.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "../../frontend/e2e/browser.mjs";
import { ROOT } from "./games.mjs";

const PORT = 5199;
const APP = "http://127.0.0.1:5198";
const PAGE = `http://127.0.0.1:${PORT}/play/template/`;
const SHA256 = createHash("sha256")
  .update(readFileSync(`${ROOT}dist/template/rules.wasm`))
  .digest("hex");
const ticket = (session) =>
  `${PAGE}?username=u1&tournamentId=t1#session=${session}&rules=/play/template/rules.wasm?${SHA256}&sha256=${SHA256}&game=g1&go=1`;

let server;
let browser;
before(async () => {
  server = spawn("node", [`${ROOT}tools/preview.mjs`], {
    env: { ...process.env, PORT: String(PORT), PLAYON_ORIGIN: APP },
  });
  await new Promise((resolve) => server.stdout.once("data", resolve));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
});
after(async () => {
  await browser?.close();
  server?.kill();
});

const BEGUN = { statusCode: 200, payload: { seed: "5", level: 0, expiresAt: "2026-11-28T12:00:00Z" } };

/**
 * Opens a phone whose player has seen the tutorial; `answer` is the app's reply to a score, null for no network. Runs
 * begin by `state.begun`, null for no network.
 */
async function phone(answer) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
    locale: "en-GB",
  });
  const sent = [];
  const began = [];
  const errors = [];
  const state = { answer, begun: BEGUN };
  const reply = (path, calls, answerOf) =>
    context.route(`${APP}${path}`, (route) => {
      const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" };
      if (route.request().method() === "OPTIONS") return route.fulfill({ status: 204, headers });
      const json = answerOf();
      if (!json) return route.abort();
      calls.push(route.request().postDataJSON());
      return route.fulfill({ status: json.statusCode, headers, json });
    });
  await reply("/api/scores", sent, () => state.answer);
  await reply("/api/runs", began, () => state.begun);
  // The app's own pages are of no interest here.
  for (const path of ["/tournaments**", "/games/**"])
    await context.route(`${APP}${path}`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>The app</title>" }),
    );
  await context.addInitScript(() => {
    if (!localStorage.getItem("playon.game.template"))
      localStorage.setItem("playon.game.template", JSON.stringify({ best: 0, tutorial: true }));
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !/Failed to load|ERR_/.test(message.text()) &&
      errors.push(message.text()),
  );
  return { context, page, sent, began, errors, state };
}
const taken = (trust, rank) => ({
  statusCode: 200,
  statusMessage: "OK",
  payload: { points: 0, best: 120, rank, trust },
});

/** The pairs (steps, input) of recorded inputs. */
function pairsOf(inputs) {
  const bytes = [...Buffer.from(inputs, "base64")];
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const byte of bytes) {
    value += (byte & 127) << shift;
    shift += 7;
    if (byte < 128) {
      numbers.push(value);
      value = 0;
      shift = 0;
    }
  }
  return Array.from({ length: numbers.length / 2 }, (_, index) => numbers.slice(2 * index, 2 * index + 2));
}

test("a ranked run is sent once, its rank is shown, and a reload does not play the session again", async () => {
  const { page, sent, errors, context } = await phone(taken("PROVEN", 4));
  await page.goto(ticket("session-1"));
  await page.waitForSelector(".standing.ranked", { timeout: 60_000 });
  assert.match(await page.textContent(".standing"), /You are 4th/);
  assert.match(await page.textContent(".trust"), /Proven run/);
  assert.equal(await page.getAttribute(".acts .go", "href"), `${APP}/games/g1?play=1&tournamentId=t1`);
  assert.equal(sent.length, 1);
  assert.equal(sent[0].session, "session-1");
  assert.doesNotMatch(page.url(), /session-1/);
  await page.reload();
  await page.waitForSelector(".title");
  assert.equal(await page.evaluate(() => localStorage.getItem("playon.pending")), '{"runs":[]}');
  assert.deepEqual(errors, []);
  await context.close();
});

test("a run that is left goes on where it was, and is counted once", async () => {
  const { page, sent, began, errors, context } = await phone(taken("PROVEN", 4));
  await page.goto(ticket("session-5"));
  const kept = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem("playon.run.template.t1.u1") ?? "{}").inputs ?? "");
  await page.waitForSelector(".count", { state: "hidden" });
  await page.keyboard.press("Space");
  // The press is kept, with ticks before and after it.
  await page.waitForFunction(
    () => atob(JSON.parse(localStorage.getItem("playon.run.template.t1.u1") ?? "{}").inputs ?? "").length > 5,
    undefined,
    { timeout: 60_000 },
  );
  const before = pairsOf(await kept());
  assert.ok(before.some(([, input]) => input !== 0));
  await page.reload();
  await page.waitForSelector(".title .notice");
  assert.match(await page.textContent(".notice"), /waits where you left it/);
  // Another ticket of the same tournament goes on with the run, too.
  await page.goto(`${APP}/games/g1`);
  await page.goto(ticket("session-6"));
  await page.getByRole("button", { name: "Resume" }).tap();
  await page.waitForSelector(".standing.ranked", { timeout: 60_000 });
  assert.deepEqual(began, [{ session: "session-5" }]);
  assert.equal(sent.length, 1);
  assert.equal(sent[0].session, "session-5");
  assert.deepEqual(pairsOf(sent[0].inputs).slice(0, before.length - 1), before.slice(0, -1));
  assert.equal(await kept(), "");
  assert.deepEqual(errors, []);
  await context.close();
});

test("outside a tournament a run is given up for a new one, and the way out works after a reload", async () => {
  const { page, began, errors, context } = await phone(taken("PROVEN", 4));
  const friendly = (session) => ticket(session).replace("&tournamentId=t1", "");
  await page.goto(`${APP}/tournaments`);
  await page.goto(friendly("session-a"));
  await page.waitForSelector(".count:not([hidden])");
  await page.reload();
  await page.getByRole("button", { name: "New run" }).tap();
  await page.waitForURL(`${APP}/games/g1?play=1`);
  await page.goBack();
  await page.waitForURL(`${APP}/tournaments`);
  await page.goto(friendly("session-b"));
  await page.waitForSelector(".count:not([hidden])");
  assert.deepEqual(began, [{ session: "session-a" }, { session: "session-b" }]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("Back pauses a run, then leaves; a game that was left is not in the history", async () => {
  const { page, errors, context } = await phone(taken("PROVEN", 4));
  await page.goto(`${APP}/tournaments`);
  await page.goto(ticket("session-7"));
  await page.waitForSelector(".count:not([hidden])");
  await page.goBack();
  await page.getByRole("dialog", { name: "Paused" }).waitFor();
  assert.match(await page.textContent(".dialog"), /waits for you/);
  await page.getByRole("button", { name: "Resume" }).tap();
  await page.waitForSelector(".count:not([hidden])");
  await page.goBack();
  await page.getByRole("dialog", { name: "Paused" }).waitFor();
  await page.goBack();
  await page.waitForURL(`${APP}/tournaments`);
  await page.goto(ticket("session-7"));
  await page.getByRole("button", { name: "Resume" }).tap();
  await page.waitForSelector(".count:not([hidden])");
  await page.getByRole("button", { name: "Pause" }).tap();
  await page.getByRole("link", { name: "Leave" }).tap();
  await page.waitForURL(`${APP}/tournaments/leaderboard/t1`);
  await page.goBack();
  await page.waitForURL(`${APP}/tournaments`);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a run whose beginning had no reply is asked for again by a later page", async () => {
  const { page, state, began, sent, context } = await phone(taken("PROVEN", 4));
  state.begun = null;
  await page.goto(ticket("session-c"));
  await page.getByText("Nothing is lost").waitFor({ timeout: 20_000 });
  state.begun = BEGUN;
  await page.goto(`${APP}/games/g1`);
  await page.goto(ticket("session-d"));
  await page.waitForSelector(".standing.ranked", { timeout: 60_000 });
  assert.deepEqual(began, [{ session: "session-c" }]);
  assert.equal(sent[0].session, "session-c");
  await context.close();
});

test("a run that another window goes on with stops here", async () => {
  const { context, page, errors } = await phone(taken("PROVEN", 4));
  await page.goto(ticket("session-e"));
  await page.waitForSelector(".count:not([hidden])");
  await page.getByRole("button", { name: "Pause" }).tap();
  const other = await context.newPage();
  await other.goto(ticket("session-f"));
  await other.getByRole("button", { name: "Resume" }).tap();
  await other.waitForSelector(".count:not([hidden])");
  await page.bringToFront();
  await page.getByRole("button", { name: "Resume" }).tap();
  await page.getByText("This run goes on in another window.").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a run that may not begin becomes practice and says why", async () => {
  const { page, state, began, context } = await phone(null);
  state.begun = {
    statusCode: 422,
    statusMessage: "You have played all your runs in this round.",
    payload: { code: "NO_RUNS_LEFT" },
  };
  await page.goto(ticket("session-8"));
  await page.getByText("You have played all your runs in this round.").waitFor();
  await page.locator(".pill", { hasText: "Practice" }).waitFor();
  assert.equal(began.length, 1);
  await context.close();
});

test("a run that cannot begin for the network begins by another tap", async () => {
  const { page, state, began, context } = await phone(taken("PROVEN", 4));
  state.begun = null;
  await page.goto(ticket("session-9"));
  await page.getByText("Nothing is lost").waitFor({ timeout: 20_000 });
  state.begun = BEGUN;
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await page.waitForSelector(".standing.ranked", { timeout: 60_000 });
  assert.deepEqual(began, [{ session: "session-9" }]);
  await context.close();
});

test("a run that is held says that it is under review", async () => {
  const { page, context } = await phone(taken("HELD"));
  await page.goto(ticket("session-2"));
  await page.waitForSelector(".standing.quiet", { timeout: 60_000 });
  assert.match(await page.textContent(".standing"), /Under review/);
  await context.close();
});

test("a run without an answer stays on the phone and is sent at the next start", async () => {
  const { page, sent, state, context } = await phone(null);
  await page.goto(ticket("session-3"));
  await page.waitForSelector(".result", { timeout: 60_000 });
  assert.match(await page.evaluate(() => localStorage.getItem("playon.pending")), /session-3/);
  state.answer = taken("PROVEN", 9);
  await page.goto(`${PAGE}?game=g1`);
  await page.waitForSelector(".notice", { timeout: 20_000 });
  assert.match(await page.textContent(".notice"), /earlier run arrived/);
  assert.equal(sent[0].session, "session-3");
  await context.close();
});

test("rules that are not the session's are refused", async () => {
  const { page, context } = await phone(null);
  await page.goto(ticket("session-4").replaceAll(`sha256=${SHA256}`, `sha256=${"0".repeat(64)}`));
  await page.waitForSelector(".dialog");
  assert.match(await page.textContent(".dialog"), /did not load/);
  await context.close();
});

test("practice works offline after one visit, and says that nothing is sent", async () => {
  const { page, context, errors } = await phone(null);
  await page.goto(PAGE);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith("template-")));
  await context.setOffline(true);
  // A page that a service worker controls says that it is online, whatever is emulated.
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false }),
  );
  await page.reload();
  await page.waitForSelector(".title .notice");
  assert.match(await page.textContent(".notice"), /offline/);
  await page.click(".btn.go");
  await page.waitForSelector(".result", { timeout: 60_000 });
  assert.match(await page.textContent(".standing"), /offline/);
  assert.deepEqual(errors, []);
  await context.close();
});

// Makes a run of each game to watch, with the link that the server would make. The game's own rules record it.

const varint = (value) => (value > 127 ? [(value & 127) | 128, ...varint(value >>> 7)] : [value]);

/** Records a run of at most `longest` steps with inputs from a fixed sequence, or none, and returns the link to watch it. */
async function recorded(slug, longest, presses = true) {
  const bytes = readFileSync(`${ROOT}dist/${slug}/rules.wasm`);
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const rules = instance.exports;
  const isInTime = rules.ticks_per_second() > 0;
  let noise = 7;
  const random = (below) => {
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
    return (noise >>> 8) % below;
  };
  rules.init(11n, 0);
  const pieceSteps = rules.piece_steps?.() ?? 0;
  const nextSeeds = [];
  const inputs = [];
  const pairs = [];
  for (let steps = 0; steps < longest; ) {
    if (pieceSteps > 0 && steps > 0 && steps % pieceSteps === 0) {
      nextSeeds.push(BigInt(steps));
      rules.feed(BigInt(steps));
    }
    let input = isInTime && (steps % 12 > 0 || !presses) ? 0 : random(rules.inputs());
    let result = rules.step(input);
    while (result === 2) {
      input = isInTime ? 0 : random(rules.inputs());
      result = rules.step(input);
    }
    steps++;
    const last = pairs.at(-1);
    if (isInTime && last?.[1] === input) last[0]++;
    else pairs.push([1, input]);
    if (result === 1) break;
  }
  for (const pair of pairs) inputs.push(...pair.flatMap(varint));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const points = rules.score();
  const page = `http://127.0.0.1:${PORT}/play/${slug}/`;
  const named = encodeURIComponent(`/play/${slug}/rules.wasm?${sha256}`);
  const fragment = `watch=1&seed=11&nextSeeds=${nextSeeds.join(",")}&level=0&rules=${named}&sha256=${sha256}&game=g1&points=${points}&inputs=${Buffer.from(inputs).toString("base64url")}`;
  return { points, page, url: `${page}#${fragment}` };
}

for (const [slug, longest, presses] of [
  ["template", 100_000, false],
  ["duma-dash", 900],
  ["maneno", 600],
  ["ajua", 5],
])
  test(`${slug} plays a run to watch by itself and sends nothing`, async () => {
    const { page, sent, errors, context } = await phone(taken("PROVEN", 1));
    const run = await recorded(slug, longest, presses);
    await page.goto(`${run.url}&tournament=t1`);
    await page.waitForSelector(".hud.watching .tag", { timeout: 60_000 });
    assert.match(await page.textContent(".hud .tag"), /Watching/);
    assert.match(await page.textContent(".hud .of"), new RegExp(run.points.toLocaleString("en-GB")));
    assert.equal(await page.getAttribute(".hud a.round", "href"), `${APP}/tournaments/leaderboard/t1`);
    await page.locator(".hud .round.num").tap();
    assert.equal(await page.textContent(".hud .round.num"), "2x");
    if (process.env.PICTURES) {
      await page.waitForTimeout(2000);
      await page.screenshot({ path: `${process.env.PICTURES}/watch-${slug}.png` });
    }
    await page.waitForSelector(".result", { timeout: 120_000 });
    assert.match(
      await page.getAttribute(".total", "aria-label"),
      new RegExp(`${run.points.toLocaleString("en-GB")}$`),
    );
    if (process.env.PICTURES) {
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `${process.env.PICTURES}/watched-${slug}.png` });
    }
    await page.locator(".acts button.go").tap();
    await page.waitForSelector(".result", { state: "detached" });
    await page.waitForSelector(".hud.watching .tag");
    assert.equal(sent.length, 0);
    assert.equal(await page.evaluate(() => localStorage.getItem("playon.pending")), null);
    assert.deepEqual(errors, []);
    await context.close();
  });

test("a link to watch that is not whole opens practice and says so", async () => {
  const { page, context } = await phone(null);
  const run = await recorded("template", 100_000, false);
  await page.goto(run.url.replace(/inputs=.*/, "inputs=!!"));
  await page.waitForSelector(".title .notice");
  assert.match(await page.textContent(".notice"), /does not open a run to watch/);
  await context.close();
});
