// Builds every game to dist/{slug}/: its page, its rules.wasm and the service worker, and each larger file
// compressed beside it. Fails above the size budget.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { compress } from "../../frontend/tools/compress.mjs";
import { isGame, listPages, ROOT, rulesPath } from "./games.mjs";
import { compileRules } from "./rules.mjs";
import { shared } from "./vite.mjs";

const BUDGET = 120 * 1024;

let failed = false;
for (const slug of listPages()) {
  const out = `${ROOT}dist/${slug}/`;
  rmSync(out, { recursive: true, force: true });
  const rules = isGame(slug) ? await compileRules(slug) : null;
  await build({
    ...shared,
    root: `${ROOT}${slug}`,
    base: "./",
    build: { ...shared.build, outDir: out, emptyOutDir: true },
  });
  if (rules) copyFileSync(rulesPath(slug), `${out}rules.wasm`);
  const manifest = `${ROOT}${slug}/game.yaml`;
  if (existsSync(manifest)) copyFileSync(manifest, `${out}game.yaml`);
  const files = list(out).filter((file) => file !== "game.yaml");
  if (rules) writeServiceWorker(slug, out, files);
  const sizes = files.map((file) => [file, gzipSync(readFileSync(out + file)).length]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(
    `${slug}: ${kilobytes(total)} gzip of ${kilobytes(BUDGET)}${rules ? `, rules sha256 ${rules.sha256}` : ""}`,
  );
  for (const [file, size] of sizes) console.log(`  ${kilobytes(size).padStart(9)}  ${file}`);
  if (total > BUDGET) {
    console.error(`${slug} is above its budget.`);
    failed = true;
  }
  await compress(out);
}
if (failed) process.exit(1);

/** Writes the service worker of a game. It caches exactly the files of this build; its version is their digest. */
function writeServiceWorker(slug, out, files) {
  const version = gzipSync(
    files.map((file) => readFileSync(out + file)).reduce((a, b) => Buffer.concat([a, b]), Buffer.alloc(0)),
  );
  const hash = [...version].reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7).toString(36);
  const source = readFileSync(`${ROOT}sdk/service-worker.js`, "utf8")
    .replace("__CACHE__", `${slug}-${hash}`)
    .replace("__PREFIX__", `${slug}-`)
    .replace('"__FILES__"', JSON.stringify(["./", ...files.filter((file) => file !== "index.html")]));
  writeFileSync(`${out}sw.js`, source);
}

function list(folder, prefix = "") {
  return readdirSync(folder + prefix).flatMap((name) =>
    statSync(folder + prefix + name).isDirectory() ? list(folder, `${prefix}${name}/`) : [prefix + name],
  );
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
