// Reads the committed lists: words separated by white space; `#` begins a comment.
import { readFileSync } from "node:fs";

export function list(name) {
  const text = readFileSync(new URL(`../words/${name}.txt`, import.meta.url), "utf8");
  return text.replace(/#.*$/gm, "").split(/\s+/).filter(Boolean);
}
