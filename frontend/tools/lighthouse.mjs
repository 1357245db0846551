// Runs Lighthouse with the design's settings (a mid-range phone on slow 4G) against a running mesh. Not part of CI, whose
// two shared cores give no reliable timings. npx fetches Lighthouse at the version below, so it is not a dependency.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSION = "12.8.2";
const MIN_SCORES = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const SHOWN = { LCP: "largest-contentful-paint", TBT: "total-blocking-time", CLS: "cumulative-layout-shift" };
const CHROMIUM = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];

const base = process.env.PLAYON_URL ?? "http://127.0.0.1:8080";
const pages = process.argv.length > 2 ? process.argv.slice(2) : ["/", "/login", "/privacy", "/terms"];
const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));

function measure(page) {
  const report = join(folder, "report.json");
  const args = ["--yes", `lighthouse@${VERSION}`, base + page, "--quiet", "--output=json"];
  const run = spawnSync("npx", [...args, `--output-path=${report}`, `--chrome-flags=${CHROMIUM.join(" ")}`], {
    env: { CHROME_PATH: "/usr/bin/chromium", ...process.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (run.status !== 0) throw new Error(`Lighthouse could not measure ${page}`);
  return JSON.parse(readFileSync(report, "utf8"));
}

let under = false;
for (const page of pages) {
  const { categories, audits } = measure(page);
  const scores = Object.entries(MIN_SCORES).map(([name, min]) => {
    const score = Math.round((categories[name].score ?? 0) * 100);
    under ||= score < min;
    return `${name} ${score}${score < min ? ` (of ${min})` : ""}`;
  });
  const times = Object.entries(SHOWN).map(([name, audit]) => `${name} ${audits[audit].displayValue}`);
  console.log(`${page.padEnd(16)} ${[...scores, ...times].join(" · ")}`);
}
process.exit(under ? 1 : 0);
