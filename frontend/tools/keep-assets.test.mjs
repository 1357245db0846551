import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepAssets } from "./keep-assets.mjs";

const HOUR = 60 * 60_000;
let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assets-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Makes a build at an hour, with files by name. Returns the names of the files that it serves. */
async function build(hour, files) {
  const assets = join(folder, "dist/assets");
  await rm(assets, { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(assets, name), text);
  await keepAssets(assets, join(folder, "archive"), hour * HOUR);
  return (await readdir(assets)).sort();
}

test("a tab of the previous build finds its files for a day after the release", async () => {
  await build(0, { "home-1.js": "one", "home-1.js.br": "o", "react.js": "react" });
  expect(await build(100, { "home-2.js": "two", "react.js": "react" })).toEqual([
    "home-1.js",
    "home-1.js.br",
    "home-2.js",
    "react.js",
  ]);
  expect(await readFile(join(folder, "dist/assets/home-1.js"), "utf8")).toBe("one");
  expect(await build(123, { "home-3.js": "three" })).toEqual([
    "home-1.js",
    "home-1.js.br",
    "home-2.js",
    "home-3.js",
    "react.js",
  ]);
  expect(await build(124, { "home-3.js": "three" })).toEqual(["home-2.js", "home-3.js", "react.js"]);
});

test("a file that comes back in a later build is kept from then on", async () => {
  await build(0, { "home-1.js": "one" });
  await build(1, { "home-2.js": "two" });
  await build(2, { "home-1.js": "one" });
  expect(await build(30, { "home-3.js": "three" })).toEqual(["home-1.js", "home-3.js"]);
});
