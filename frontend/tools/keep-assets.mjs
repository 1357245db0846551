// Keeps the hashed files of earlier builds in the build for a day. A tab that was opened before a release still
// requests its own chunks, which would otherwise be gone with the files of the old build.
//
// The archive holds copies of all kept files and `index.json`: for each file, when a build first came without it, or
// null while the newest build has it. It is outside dist/, which Vite empties.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const KEEP_MS = 24 * 60 * 60_000;
/** Maximum bytes of old files in the build, which the gateway holds in memory. The oldest are removed first. */
const MAX_BYTES = 16_000_000;
const INDEX = "index.json";

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function readIndex(archive) {
  try {
    return JSON.parse(await readFile(join(archive, INDEX), "utf8"));
  } catch {
    return {};
  }
}

async function copy(from, to) {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to);
}

/** Returns the retired files that stay: younger than a day, the newest first, within the limit. */
async function chooseKept(archive, retired, now) {
  const kept = [];
  let left = MAX_BYTES;
  for (const [file, since] of retired.sort(([, a], [, b]) => b - a)) {
    const size = await stat(join(archive, file)).then(
      (found) => found.size,
      () => Number.POSITIVE_INFINITY,
    );
    if (now - since >= KEEP_MS || size > left) continue;
    left -= size;
    kept.push([file, since]);
  }
  return kept;
}

/**
 * Adds the kept files of earlier builds to the newest one, and the newest build's files to the archive. Returns how
 * many files of earlier builds the build now has.
 */
export async function keepAssets(assets, archive, now) {
  const current = await filesIn(assets);
  const before = await readIndex(archive);
  const retired = Object.entries(before)
    .filter(([file]) => !current.includes(file))
    .map(([file, since]) => [file, since ?? now]);
  const kept = await chooseKept(archive, retired, now);
  const keptNames = new Set(kept.map(([file]) => file));
  for (const [file] of retired) if (!keptNames.has(file)) await rm(join(archive, file), { force: true });
  for (const file of current) await copy(join(assets, file), join(archive, file));
  for (const file of keptNames) await copy(join(archive, file), join(assets, file));
  const index = Object.fromEntries([...current.map((file) => [file, null]), ...kept]);
  await mkdir(archive, { recursive: true });
  await writeFile(join(archive, INDEX), JSON.stringify(index, null, 1));
  return kept.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const assets = fileURLToPath(new URL("../dist/assets", import.meta.url));
  const archive =
    process.env.ASSET_ARCHIVE ?? fileURLToPath(new URL("../node_modules/.playon-assets", import.meta.url));
  const count = await keepAssets(assets, archive, Date.now());
  console.log(`kept ${count} files of builds of the last 24 hours`);
}
