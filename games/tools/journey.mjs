// What only a browser shows, on the built template: run `GAMES=template npm run build` first.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { ROOT } from "./games.mjs";

const PORT = 5199;
const APP = "http://127.0.0.1:5198";
const PAGE = `http://127.0.0.1:${PORT}/play/template/`;
const SHA256 = createHash("sha256")
  .update(readFileSync(`${ROOT}dist/template/rules.wasm`))
  .digest("hex");
const ticket = (session, seed = 5) =>
  `${PAGE}?username=u1&tournamentId=t1#session=${session}&seed=${seed}&level=0&rules=/play/template/rules.wasm?${SHA256}&sha256=${SHA256}&game=g1&go=1`;

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

/** A phone whose player has seen the tutorial; `answer` is what the app says to a score, null for no network. */
async function phone(answer) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
    locale: "en-GB",
  });
  const sent = [];
  const errors = [];
  const state = { answer };
  await context.route(`${APP}/api/scores`, (route) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" };
    if (route.request().method() === "OPTIONS") return route.fulfill({ status: 204, headers });
    if (!state.answer) return route.abort();
    sent.push(route.request().postDataJSON());
    return route.fulfill({ status: state.answer.statusCode, headers, json: state.answer });
  });
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
  return { context, page, sent, errors, state };
}
const taken = (trust, rank) => ({
  statusCode: 200,
  statusMessage: "OK",
  payload: { points: 0, best: 120, rank, trust },
});

test("a ranked run is sent once, its rank is shown, and a reload does not play the session again", async () => {
  const { page, sent, errors, context } = await phone(taken("PROVEN", 4));
  await page.goto(ticket("session-1"));
  await page.waitForSelector(".standing.ranked", { timeout: 60_000 });
  assert.match(await page.textContent(".standing"), /4th in the tournament/);
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
  await page.reload();
  await page.waitForSelector(".title .notice");
  assert.match(await page.textContent(".notice"), /offline/);
  await page.click(".btn.go");
  await page.waitForSelector(".result", { timeout: 60_000 });
  assert.match(await page.textContent(".standing"), /offline/);
  assert.deepEqual(errors, []);
  await context.close();
});
