import { expect, test } from "vitest";
import { paths } from "@/app/paths";
import { textsByPath } from "@/app/texts";
import type { CatalogueName } from "@/lib/i18n/i18n";

type Texts = Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;

const sources = import.meta.glob<string>("/src/**/*.{ts,tsx}", {
  eager: true,
  query: "?raw",
  import: "default",
});
const catalogues = import.meta.glob<{ readonly texts: Texts }>(
  ["/src/**/locales/{en,sw}.ts", "/src/**/locales/first.{en,sw}.ts"],
  {
    eager: true,
  },
);

const FIRST = ["/src/lib/locales/en.ts", "/src/ui/locales/en.ts", "/src/app/locales/first.en.ts"];

const formsOf = (text: Texts[string]) => (typeof text === "string" ? [text] : [text.one, text.other]);
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

const english = Object.keys(catalogues).filter((file) => file.endsWith("en.ts"));

/** The catalogue that owns a key, by its file. */
const owners = new Map(
  english.flatMap((file) => Object.keys(catalogues[file]?.texts ?? {}).map((key) => [key, file])),
);

test("every key stands in one catalogue", () => {
  const keys = english.flatMap((file) => Object.keys(catalogues[file]?.texts ?? {}));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test.each(english)("%s has the same keys and {names} in Swahili", (file) => {
  const texts = catalogues[file]?.texts ?? {};
  const swahili = catalogues[file.replace(/en\.ts$/, "sw.ts")]?.texts ?? {};
  expect(Object.keys(swahili)).toEqual(Object.keys(texts));
  for (const [key, text] of Object.entries(swahili)) {
    const original = texts[key] ?? "";
    expect(namesIn(formsOf(text).at(-1) ?? ""), key).toEqual(namesIn(formsOf(original).at(-1) ?? ""));
    expect(text, key).not.toBe("");
  }
});

test.each(english)("%s has no unused text", (file) => {
  const code = Object.entries(sources).filter(([name]) => !/\/locales\/|\.test\.tsx?$/.test(name));
  const isShown = (key: string) => code.some(([, source]) => keysIn(source).has(key));
  expect(Object.keys(catalogues[file]?.texts ?? {}).filter((key) => !isShown(key))).toEqual([]);
});

const known = [...owners.keys()];
const found = new Map<string, Set<string>>();

/** The keys that a source names: as a string, or by the beginning of a template. */
function keysIn(source: string): Set<string> {
  const before = found.get(source);
  if (before) return before;
  const keys = new Set(
    [...source.matchAll(/["'`]([\w.]+)["'`]/g)]
      .map(([, text]) => text ?? "")
      .filter((text) => owners.has(text)),
  );
  for (const [, beginning = "", end = ""] of source.matchAll(/`([\w]+\.[\w.]*)\$\{[^}]*\}([\w.]*)`/g)) {
    for (const key of known) if (key.startsWith(beginning) && key.endsWith(end)) keys.add(key);
  }
  found.set(source, keys);
  return keys;
}

/** The file that an import names, in the ways this app imports. */
function fileOf(specifier: string, importer: string): string | undefined {
  const path = specifier.startsWith("@/")
    ? `/src/${specifier.slice(2)}`
    : new URL(specifier, `http://app${importer}`).pathname;
  return [path, `${path}.ts`, `${path}.tsx`].find((file) => file in sources);
}

/** The screens load their texts themselves; the tables of queries show nothing. */
const isBoundary = (file: string) => file === "/src/app/screens.ts" || file.startsWith("/src/app/data/");

/** All files that a module imports, at once or later, and itself. */
function reachable(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || isBoundary(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of (sources[file] ?? "").matchAll(/(?:from|import)\s*\(?\s*"([@.][^"]+)"/g)) {
    const to = fileOf(specifier, file);
    if (to) reachable(to, seen);
  }
  return seen;
}

/** The catalogues of the texts that a screen shows, besides those of the first view. */
function shownBy(...files: readonly string[]): CatalogueName[] {
  const all = files
    .flatMap((file) => [...reachable(file)])
    .flatMap((file) => [...keysIn(sources[file] ?? "")]);
  const wanted = new Set(all.map((key) => owners.get(key) ?? "").filter((file) => !FIRST.includes(file)));
  return [...wanted].map((file) => file.split("/").at(-3) as CatalogueName).sort();
}

const table = sources["/src/app/screens.ts"] ?? "";
const screens = [
  ...table.matchAll(/path: (?:paths\.(\w+)|"\*")[^{}]*?import\("(@\/app\/routes\/[\w-]+)"\)/g),
].map(([, name, module = ""]) => ({ name: name ?? "*", module }));

test("the table of screens is read", () => {
  expect(screens.length).toBeGreaterThanOrEqual(22);
});

test.each(screens)("screen $name loads the catalogues that it shows", ({ name, module }) => {
  const path = name === "*" ? name : paths[name as keyof typeof paths];
  const file = fileOf(module, "/") ?? "";
  const listed = [...(textsByPath[path] ?? [])].sort();
  const inLayout = !["*", paths.privacy, paths.terms].includes(path);
  expect(listed).toEqual(shownBy(file).filter((each) => each !== "app" || !inLayout));
});

test("the layouts show the texts of the app alone, which every screen loads", () => {
  expect(shownBy("/src/app/layouts/ShellLayout.tsx", "/src/app/layouts/DataLayout.tsx")).toEqual(["app"]);
});

test("home at / and the onboarding load the catalogues that they show", () => {
  const loadedBy = (name: string) =>
    (new RegExp(`${name} =[^;]*import\\([^)]*\\), ([^)]*)\\)`).exec(table)?.[1] ?? "")
      .replaceAll('"', "")
      .split(", ")
      .sort();
  expect(loadedBy("loadGuestHome")).toEqual(shownBy("/src/app/routes/guest-home.tsx"));
  expect(loadedBy("loadOnboarding")).toEqual(shownBy("/src/app/routes/onboarding.tsx"));
});

/** The files that a module needs before it runs. */
function atOnce(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of (sources[file] ?? "").matchAll(
    /from "([@.][^"]+)"|import "([@.][^"]+)"/g,
  )) {
    const to = fileOf(specifier, file);
    if (to) atOnce(to, seen);
  }
  return seen;
}

test("the first view shows its own texts alone", () => {
  const keys = [...atOnce("/src/main.tsx")].flatMap((file) => [...keysIn(sources[file] ?? "")]);
  expect(keys.filter((key) => !FIRST.includes(owners.get(key) ?? ""))).toEqual([]);
});
