// Reads the build for the steps after it: the manifest, which names for each source its chunk and the chunk's imports.
import { readFileSync } from "node:fs";

export const dist = new URL("../dist/", import.meta.url);

export function readManifest() {
  return JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
}

/** Returns the key of a source's chunk, or of a group of `tools/chunks.ts`, whose chunk belongs to no source. */
function keyOf(manifest, name) {
  return manifest[name] ? name : (Object.keys(manifest).find((key) => manifest[key].name === name) ?? name);
}

/** The keys of these sources or groups, and of all their static imports after them. */
export function closure(manifest, sources) {
  const seen = new Set();
  const queue = [...sources].map((source) => keyOf(manifest, source));
  while (queue.length > 0) {
    const key = queue.shift();
    if (seen.has(key)) continue;
    if (!manifest[key]) throw new Error(`${key} is not in the build`);
    seen.add(key);
    queue.push(...(manifest[key].imports ?? []));
  }
  return seen;
}

/** The files of these chunks: scripts, and style sheets without repetition. */
export function filesOf(manifest, keys) {
  const chunks = [...keys].map((key) => manifest[key]);
  return {
    scripts: chunks.map(({ file }) => file).filter((file) => file.endsWith(".js")),
    styles: [...new Set(chunks.flatMap(({ css }) => css ?? []))],
  };
}
