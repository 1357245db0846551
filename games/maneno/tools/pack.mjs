// Packs the word lists into rules/gen/words.ts, the static data of the rules module: node tools/pack.mjs
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build, pack } from "./dawg.mjs";
import { list } from "./lists.mjs";

const out = ["// Written by tools/pack.mjs from words/*.txt. Do not edit."];

function data(name, bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 48) lines.push(`  ${bytes.slice(at, at + 48).join(",")},`);
  out.push(
    `// biome-ignore format: data`,
    `export const ${name}: usize = memory.data<u8>([\n${lines.join("\n")}\n]);`,
  );
}

// Returns how often each letter occurs in the list, per 1,000: grids are drawn with these weights.
function frequencies(words) {
  const counts = new Array(26).fill(0);
  for (const word of words) for (const letter of word) counts[letter.charCodeAt(0) - 97]++;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => Math.round((count * 1000) / all));
}

for (const language of ["swahili", "english"]) {
  const words = list(language).sort();
  const { edges, low, high, ends, shared } = pack(build(words));
  const hidden = list(`hidden-${language}`).map((word) =>
    [...word].map((letter) => letter.charCodeAt(0) - 97),
  );
  const NAME = language.toUpperCase();
  out.push(
    `export const ${NAME}_EDGES: i32 = ${edges.length};`,
    `export const ${NAME}_SHARED: i32 = ${shared};`,
  );
  data(`${NAME}`, edges);
  data(`${NAME}_LOW`, low);
  data(`${NAME}_HIGH`, high);
  data(`${NAME}_ENDS`, ends);
  out.push(`export const ${NAME}_HIDDEN_COUNT: i32 = ${hidden.length};`);
  data(
    `${NAME}_HIDDEN`,
    hidden.flatMap((letters) => [letters.length, ...letters, ...new Array(9 - letters.length).fill(255)]),
  );
  const weights = frequencies(words).map((weight) => Math.min(weight, 255));
  data(`${NAME}_WEIGHTS`, weights);
  console.log(
    language,
    words.length,
    "words,",
    edges.length,
    "edges,",
    shared,
    "shared,",
    gzipSync(Buffer.from([...edges, ...low, ...high]), { level: 9 }).length,
    "bytes gzip",
  );
}
writeFileSync(new URL("../rules/gen/words.ts", import.meta.url), `${out.join("\n")}\n`);
