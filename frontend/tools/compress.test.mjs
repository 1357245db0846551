import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compress } from "./compress.mjs";

const text = "console.log('kiondo');\n".repeat(100);
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compress-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name, content = text) {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
}

test("writes a .br and a .gz with the same content beside compressible files", async () => {
  put("index.html");
  put("rules.wasm");
  const { files, before, after } = await compress(folder);
  expect({ files, before }).toEqual({ files: 2, before: 2 * text.length });
  expect(after).toBeLessThan(before / 10);
  for (const name of ["index.html", "rules.wasm"]) {
    expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))).toString()).toBe(text);
    expect(gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString()).toBe(text);
  }
});

test.each([
  ["a small file", "robots.txt", text.slice(0, 1024)],
  ["a font", "outfit.woff2", text],
  ["a picture", "icon.png", text],
  ["a file that is not served", ".vite/manifest.json", text],
])("does not compress %s", async (_what, name, content) => {
  put(name, content);
  expect(await compress(folder)).toEqual({ files: 0, before: 0, after: 0 });
  expect(readdirSync(join(folder, name, ".."))).toHaveLength(1);
});
