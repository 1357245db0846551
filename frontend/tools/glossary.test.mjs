// Keeps the words that docs/glossary.md excludes out of the Swahili texts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file) => readFileSync(join(root, file), "utf8");

/** The files of a folder whose path has this form. */
const filesOf = (folder, form) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => form.test(file));

/** The words of the last column of the glossary's table of Swahili. */
function excludedWords() {
  const [, table = ""] = read("docs/glossary.md").split("| English | Swahili | not |");
  const words = table.split("\n").flatMap((row) => row.split("|")[3]?.trim().split(", ") ?? []);
  return words.filter((word) => /^[\p{L} ]+$/u.test(word));
}

test.each([
  ["the app", filesOf("frontend/src", /\/locales\/(\w+\.)?sw\.ts$/)],
  ["the first view", ["frontend/src/app/first/sw.ts"]],
  ["the games", ["games/sdk/texts.ts", ...filesOf("games", /^games\/(ajua|duma-dash|maneno)\/src\/.*\.ts$/)]],
  ["services", ["crates/mesh/texts/sw.json"]],
])("the texts of %s have no Swahili word that the glossary excludes", (_place, files) => {
  const words = excludedWords();
  expect(words).toContain("mzunguko");
  const excluded = new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "giu");
  const found = files.flatMap((file) =>
    [...read(file).matchAll(excluded)].map(([word]) => `${file}: ${word}`),
  );
  expect(files).not.toEqual([]);
  expect(found).toEqual([]);
});
