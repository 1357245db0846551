import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { instantiateRules } from "../rules";
import type { Rules } from "../types";

/** Loads the compiled rules of a game in a test (`npm run rules` compiles them). */
export function loadGameRules(slug: string): Promise<Rules> {
  return instantiateRules(readFileSync(fileURLToPath(new URL(`../../.rules/${slug}.wasm`, import.meta.url))));
}
