// Measures the production build as it is transferred and fails when it exceeds the design's budget.
// First view: what a new visitor's `/` loads before it renders, with all static imports and its texts in one language.
// Other routes: what opening one adds to what is loaded before it: the home screen, or the shell for the entry routes.
// Parts: chunks that load later, by what each adds to the home screen and to the chunk that requests it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { closure, dist, filesOf, readManifest } from "./manifest.mjs";

const KB = 1000;
const BUDGET = {
  firstJs: 110 * KB,
  routeJs: 35 * KB,
  firstCss: 14 * KB,
  fonts: 40 * KB,
  celebration: 6 * KB,
};
const CELEBRATION = "src/ui/Celebration.tsx";
/** Groups of `tools/chunks.ts`. */
const FIRST = ["start", "main"];
const SHELL = ["screens", "data"];
const HOME_ROUTE = "src/app/routes/home.tsx";
const ENTRY_ROUTES = [HOME_ROUTE, "src/app/routes/guest-home.tsx", "src/app/routes/login.tsx"];
const FIRST_TEXTS = ["src/app/first/sw.ts"];
const LAYOUTS = ["src/app/layouts/ShellLayout.tsx"];

const manifest = readManifest();

const weights = new Map();
function weigh(file, compress) {
  if (!weights.has(file)) {
    const bytes = readFileSync(new URL(file, dist));
    weights.set(file, compress ? gzipSync(bytes, { level: 9 }).length : bytes.length);
  }
  return weights.get(file);
}

const loadedWith = (keys) => closure(manifest, keys);
const scriptsOf = (keys) => filesOf(manifest, keys).scripts;
const stylesOf = (keys) => filesOf(manifest, keys).styles;
const sum = (files, compress) => files.reduce((total, file) => total + weigh(file, compress), 0);

const first = loadedWith([...FIRST, ...FIRST_TEXTS]);
const fonts = [...new Set(Object.values(manifest).flatMap((chunk) => chunk.assets ?? []))].filter((file) =>
  file.endsWith(".woff2"),
);

const rows = [
  ["first view, JavaScript", sum(scriptsOf(first), true), BUDGET.firstJs],
  ["first view, CSS", sum(stylesOf(first), true), BUDGET.firstCss],
  ["fonts", sum(fonts, false), BUDGET.fonts],
];

const shell = loadedWith([...FIRST, ...FIRST_TEXTS, ...SHELL, ...LAYOUTS]);
const home = loadedWith([...FIRST, ...FIRST_TEXTS, ...SHELL, ...LAYOUTS, HOME_ROUTE]);
/** The bytes of JavaScript that opening an entry adds. */
function addedBy(key, loaded) {
  return sum(scriptsOf([...loadedWith([key])].filter((chunk) => !loaded.has(chunk))), true);
}

const catalogues = Object.keys(manifest).filter((key) => /\/locales\/|\/first\//.test(key));
rows.push([
  "largest catalogue of texts",
  Math.max(...catalogues.map((key) => weigh(manifest[key].file, true))),
  BUDGET.routeJs,
]);

for (const key of Object.keys(manifest)) {
  if (catalogues.includes(key)) continue;
  if (!manifest[key].isDynamicEntry || shell.has(key)) continue;
  if (key.startsWith("src/app/routes/")) {
    const name = key.slice("src/app/routes/".length, -".tsx".length);
    rows.push([`route ${name}`, addedBy(key, ENTRY_ROUTES.includes(key) ? shell : home), BUDGET.routeJs]);
  } else {
    const openers = Object.keys(manifest).filter((each) => manifest[each].dynamicImports?.includes(key));
    const added = openers.map((opener) => addedBy(key, new Set([...home, ...loadedWith([opener])])));
    const limit = key === CELEBRATION ? BUDGET.celebration : BUDGET.routeJs;
    rows.push([`part ${key.slice("src/".length)}`, Math.max(...added), limit]);
  }
}

let over = false;
for (const [what, bytes, limit] of rows) {
  const bad = bytes > limit;
  over ||= bad;
  console.log(
    `${bad ? "OVER" : "ok  "} ${what.padEnd(40)} ${(bytes / KB).toFixed(1).padStart(7)} kB of ${limit / KB}`,
  );
}
process.exit(over ? 1 : 0);
