// Runs Lighthouse with the design's settings (a mid-range phone on slow 4G, simulated, without a cache) against a running
// mesh, and prints each page's median run. Not part of CI, whose two shared cores give no reliable timings. npx fetches
// Lighthouse at the version below, so it is not a dependency.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { launch, openPhone, PLAYON_URL } from "../browser.mjs";
import { createPlayer, newPlayer } from "../players.mjs";

const VERSION = "12.8.2";
const RUNS = Number(process.env.RUNS ?? 3);
const MIN_SCORES = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const MAX_VALUES = { "largest-contentful-paint": 2_000, "cumulative-layout-shift": 0.05 };
const SHOWN = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  TBT: "total-blocking-time",
  CLS: "cumulative-layout-shift",
};
const SIGNED_IN = ["/dashboard", "/account/wallet", "/tournaments", "/chat-room"];
const GUEST = ["/", "/login", "/register", "/privacy", "/terms"];
const CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];

const pages = process.argv.length > 2 ? process.argv.slice(2) : [...GUEST, ...SIGNED_IN];

/** Signs a new player up, and returns the tab's session storage. */
async function signUp() {
  const browser = await launch();
  try {
    const { page } = await openPhone(browser);
    await createPlayer(page, newPlayer());
    return await page.evaluate(() => ({ ...sessionStorage }));
  } finally {
    await browser.close();
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function run(command, args) {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("exit", (code) => done(code));
  });
}

/** Makes one run in a browser of its own, whose tabs have this session storage. */
async function measure(page, session) {
  const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [...CHROMIUM, `--remote-debugging-port=${port}`],
    viewport: null,
  });
  try {
    await context.addInitScript((stored) => {
      for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value);
    }, session);
    const report = join(folder, "report.json");
    const args = ["--yes", `lighthouse@${VERSION}`, PLAYON_URL + page, `--port=${port}`, "--quiet"];
    const code = await run("npx", [...args, "--output=json", `--output-path=${report}`]);
    if (code !== 0) throw new Error(`Lighthouse could not measure ${page}`);
    return JSON.parse(readFileSync(report, "utf8"));
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const lcpOf = ({ audits }) => audits["largest-contentful-paint"].numericValue;

let missed = false;
const needsPlayer = (page) => !GUEST.includes(page);
const session = pages.some(needsPlayer) ? await signUp() : {};
for (const page of pages) {
  const runs = [];
  while (runs.length < RUNS) runs.push(await measure(page, needsPlayer(page) ? session : {}));
  runs.sort((one, other) => lcpOf(one) - lcpOf(other));
  const { categories, audits } = runs[Math.floor(runs.length / 2)];
  const failed = ["accessibility", "best-practices", "seo"].flatMap((name) =>
    categories[name].auditRefs.filter(
      ({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1,
    ),
  );
  const scores = Object.entries(MIN_SCORES).map(([name, min]) => {
    const score = Math.round((categories[name].score ?? 0) * 100);
    missed ||= score < min;
    return `${name} ${score}${score < min ? ` (of ${min})` : ""}`;
  });
  for (const [audit, max] of Object.entries(MAX_VALUES)) missed ||= audits[audit].numericValue > max;
  const times = Object.entries(SHOWN).map(([name, audit]) => `${name} ${audits[audit].displayValue}`);
  console.log(`${page.padEnd(16)} ${[...scores, ...times].join(" · ")}`);
  for (const { id } of failed)
    console.log(`  ${audits[id].title}:`, JSON.stringify(audits[id].details?.items));
}
process.exit(missed ? 1 : 0);
