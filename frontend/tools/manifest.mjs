// What the steps after the build read of it: the manifest, which names for each source its chunk and the chunk's imports.
import { readFileSync } from "node:fs";

export const dist = new URL("../dist/", import.meta.url);

export function readManifest() {
  return JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
}

/** The keys of these sources and of all their static imports. */
export function closure(manifest, sources) {
  const seen = new Set();
  const queue = [...sources];
  while (queue.length > 0) {
    const key = queue.pop();
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
