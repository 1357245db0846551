// Checks the source tree's import rules: which layer may import which, who uses the HTTP modules, where URLs are spelled.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src", import.meta.url));
const MAX_LINES = 600;

/** What each layer may import besides itself. */
const MAY_IMPORT = {
  app: ["features", "ui", "lib", "pwa"],
  features: ["ui", "lib", "gen"],
  ui: ["lib"],
  lib: ["gen"],
  pwa: ["lib"],
  gen: [],
};
/** HTTP modules and the shapes of replies. Within a feature only `api.ts` may import them. */
const WIRE = /^lib\/http\/(client|envelope|wire|idempotency|upload)$/;
const PATHS_FILE = "app/paths.ts";

const files = readdirSync(src, { recursive: true })
  .map((name) => name.split("\\").join("/"))
  .filter((name) => /\.(ts|tsx)$/.test(name) && statSync(join(src, name)).isFile());

const problems = [];
const report = (file, what) => problems.push(`src/${file}: ${what}`);

function target(file, specifier) {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (specifier.startsWith("."))
    return normalize(join(dirname(file), specifier))
      .split("\\")
      .join("/");
  return null;
}

function checkImport(file, specifier) {
  const to = target(file, specifier);
  if (to === null) return;
  const [layer, feature] = file.split("/");
  const [toLayer, toFeature] = to.split("/");
  if (toLayer !== layer && !MAY_IMPORT[layer].includes(toLayer))
    report(file, `${layer} may not import ${to}`);
  if (layer !== "features") return;
  if (toLayer === "features" && toFeature !== feature)
    report(file, `feature ${feature} imports feature ${toFeature}`);
  if (WIRE.test(to) && !file.endsWith("/api.ts")) report(file, `only api.ts may import ${to}`);
}

function checkText(file, text) {
  if (text.split("\n").length > MAX_LINES) report(file, `more than ${MAX_LINES} lines`);
  if (/^\s*export \* from|^\s*export \{[^}]*\} from/m.test(text)) report(file, "re-exports (no barrels)");
  if (/\b(?:as|:|<)\s*any\b/.test(text)) report(file, "any");
  if (file.startsWith("app/") || file.startsWith("features/")) {
    const spelled = text.match(/\b(?:to|path|navigate\()\s*[=:]?\s*["'`]\/[\w-]*/);
    // An api.ts spells the paths of calls, which are not pages of the app.
    if (file !== PATHS_FILE && !file.endsWith("/api.ts") && spelled)
      report(file, `spells a URL outside ${PATHS_FILE}: ${spelled[0]}`);
  }
}

for (const file of files) {
  const layer = file.split("/")[0];
  if (!file.includes("/") || layer === "test" || layer === "gen") continue;
  const text = readFileSync(join(src, file), "utf8");
  if (!MAY_IMPORT[layer]) {
    report(file, `no such layer: ${layer}`);
    continue;
  }
  checkText(file, text);
  if (/\.test\.tsx?$/.test(file)) continue;
  for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g))
    checkImport(file, specifier);
}

/** Raw colours are allowed in the files of tokens only. */
for (const name of readdirSync(src, { recursive: true }).filter((each) => each.endsWith(".css"))) {
  const file = relative(src, join(src, name)).split("\\").join("/");
  if (file === "ui/tokens.css" || file === "ui/worlds.css") continue;
  const raw = readFileSync(join(src, name), "utf8").match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i);
  if (raw) report(file, `names a raw colour: ${raw[0]}`);
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`architecture: ${files.length} files, every import follows the layers`);
