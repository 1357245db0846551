// 'Check this result': the page on which anybody replays the winning runs of a final board.
import assert from "node:assert/strict";
import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { findings } from "./axe.mjs";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer } from "./players.mjs";

const RULES = fileURLToPath(new URL("../../games/dist/duma-dash/rules.wasm", import.meta.url));
const SECRET = Buffer.alloc(32, 7);
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
/** A cheetah that never jumps has lost its lives by then. */
const MOST_STEPS = 60 * 120;
/** How long after its start the mesh has settled the demo's first tournament. */
const SETTLED_MS = 300_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** The demo's tournament that ends three minutes after the mesh has started, once its board is final. */
async function overTournament(page) {
  for (const start = Date.now(); Date.now() - start < SETTLED_MS; await page.waitForTimeout(2_000)) {
    const reply = await page.request.get(`${PLAYON_URL}/api/tournaments`);
    const { payload } = await reply.json();
    const found = payload.find(({ settled }) => settled);
    if (found) return found;
  }
  assert.fail("the demo has a tournament that is settled");
}

/** A varint of the inputs' format. */
function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** The live run of a cheetah that does nothing, in a round. */
async function idleRun(rules, round) {
  const session = randomUUID();
  const key = hmac(SECRET, number(round));
  const id = Buffer.from(session.replaceAll("-", ""), "hex");
  const seedOf = (piece) => hmac(key, id, number(piece)).readBigInt64BE();
  const { instance } = await WebAssembly.instantiate(rules, {});
  const { init, feed, piece_steps: pieceSteps, step, score } = instance.exports;
  const seeds = [seedOf(0)];
  init(seeds[0], 0);
  let steps = 1;
  while (step(0) !== 1) {
    if (steps % pieceSteps() === 0) {
      seeds.push(seedOf(seeds.length));
      feed(seeds.at(-1));
    }
    steps++;
    assert.ok(steps < MOST_STEPS, "the run ends");
  }
  const inputs = Buffer.from([...varint(steps), 0]).toString("base64");
  const [seed, ...nextSeeds] = seeds.map(String);
  return { points: score(), run: { session, seed, nextSeeds, inputs } };
}

/** A number as 4 bytes. */
function number(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();

/** The proof of a result with two runs; `more` is added to the points of the first. */
async function makeProof(more) {
  const rules = readFileSync(RULES);
  const runs = await Promise.all([idleRun(rules, 0), idleRun(rules, 1)]);
  const [first, second] = runs.sort((one, other) => other.points - one.points);
  return {
    seal: sha256(SECRET).toString("hex"),
    settled: true,
    secret: SECRET.toString("hex"),
    rounds: 2,
    level: 0,
    rulesSha256: sha256(rules).toString("hex"),
    rules: rules.toString("base64"),
    places: [
      { rank: 1, userId: "a", ...first, points: first.points + more },
      { rank: 2, userId: "b", ...second },
      { rank: 3, userId: "c", points: 12, run: null },
    ],
  };
}

/** Opens the check of a tournament, with this proof in place of the app's. */
async function openCheck(page, url, proof) {
  await page.route("**/api/tournaments/*/proof", (route) =>
    route.fulfill({
      headers: { "access-control-allow-origin": "*" },
      json: { statusCode: 200, statusMessage: "OK", payload: proof },
    }),
  );
  await page.goto(url);
}

test("a final board leads to its check, which anybody may open", async () => {
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, newPlayer());
  const { id } = await overTournament(page);
  await page.goto(`${PLAYON_URL}/tournaments/leaderboard/${id}`);
  const opened = context.waitForEvent("page");
  const link = page.getByRole("link", { name: /^Check this result/ });
  await link.waitFor();
  await screenshot(page, "check-result-00-board");
  await link.click();
  const check = await opened;
  await check.getByRole("heading", { name: "Check this result" }).waitFor();
  await check.getByText("The seeds fit the seal that was published with the tournament.").waitFor();
  const places = check.getByRole("listitem");
  assert.equal(await places.filter({ hasText: "not right" }).count(), 0);
  await check.getByRole("link", { name: "Back to PlayOn" }).click();
  await check.waitForURL(`${PLAYON_URL}/**`);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the phone replays the winning runs, and says what is not right", async () => {
  const { context, page, errors } = await openPhone(browser);
  const { checkUrl } = await overTournament(page);
  await openCheck(page, checkUrl, await makeProof(0));
  await page
    .getByText("Winning runs that your phone has replayed: 2 of 3. All their points are right.")
    .waitFor();
  assert.equal(await page.getByRole("listitem").filter({ hasText: "no run is kept" }).count(), 1);
  assert.deepEqual(await findings(page), []);
  await screenshot(page, "check-result-01-right");
  await page.getByText("For experts").click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Keep the proof" }).click();
  const kept = await (await download).path();

  await page.unrouteAll();
  await openCheck(page, `${checkUrl}&lang=sw`, await makeProof(1));
  await page.reload();
  await page.getByText("Kuna kitu si sahihi.").waitFor();
  assert.equal(await page.getByRole("listitem").filter({ hasText: "si sahihi" }).count(), 1);
  await screenshot(page, "check-result-02-wrong");

  // A proof that was kept is checked without the app.
  await page.goto(checkUrl.split("#")[0]);
  await page.locator('input[type="file"]').setInputFiles(kept);
  await page
    .getByText("Winning runs that your phone has replayed: 2 of 3. All their points are right.")
    .waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
