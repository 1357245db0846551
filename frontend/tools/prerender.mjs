// Writes the static pages of `src/app/prerender.tsx` beside dist/index.html: the gateway serves /privacy from
// privacy.html. Each is index.html with its content in place of the splash, its styles inside, and the list of the files
// that `src/start.ts` requests once the content is painted.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { closure, dist, filesOf, readManifest } from "./manifest.mjs";

const LANGUAGES = ["en", "sw"];
/** The group of `tools/chunks.ts` that every page loads. */
const START = "start";
const MAIN = "main";
/** The table of screens, which every page but the welcome needs at once. */
const SCREENS = "screens";
const ROOT = /(<div id="root">)([\s\S]*?)(<\/div>)(?=\s*<p id="start-failed")/;
const START_FAILED = /\s*<p id="start-failed"[\s\S]*?<\/p>/;

/** Renders the pages with the code of a build for Node, so that styles have the names of the real build. */
async function renderPages() {
  const frontend = fileURLToPath(new URL("..", import.meta.url));
  const outDir = await mkdtemp(join(frontend, "node_modules/.prerender-"));
  try {
    await build({
      root: frontend,
      logLevel: "warn",
      build: {
        ssr: "src/app/prerender.tsx",
        outDir,
        manifest: false,
        rolldownOptions: { output: { entryFileNames: "prerender.mjs", codeSplitting: false } },
      },
    });
    const { staticPages, welcome } = await import(pathToFileURL(join(outDir, "prerender.mjs")).href);
    return { pages: staticPages(), welcome: welcome() };
  } finally {
    await rm(outDir, { recursive: true });
  }
}

/** The files of catalogues, by language. */
function textsOf(manifest, names) {
  const fileOf = (name, language) => {
    const ending = name === "first" ? `/first/${language}.ts` : `/${name}/locales/${language}.ts`;
    const key = Object.keys(manifest).find((each) => each.endsWith(ending));
    if (!key) throw new Error(`the ${language} texts of ${name} are not in the build`);
    return `/${manifest[key].file}`;
  };
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, names.map((name) => fileOf(name, language))]),
  );
}

/**
 * Returns the style sheets of a page, which are part of its HTML, so that the first paint waits for nothing; and the
 * files that it needs besides `src/main.tsx`, which `src/start.ts` requests after it.
 */
export function pageFilesOf(manifest, { sources, texts }) {
  const app = closure(manifest, [START, MAIN]);
  const screen = [...closure(manifest, [...sources, SCREENS])].filter((key) => !app.has(key));
  return {
    inline: filesOf(manifest, [...app, ...screen]).styles,
    later: {
      scripts: filesOf(manifest, screen).scripts.map((file) => `/${file}`),
      texts: textsOf(manifest, ["first", ...texts]),
    },
  };
}

/** The file of a page; the gateway serves `_.html` for any name in its folder. */
export const pageFile = (path) => `${path.replace(":id", "_")}.html`;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Builds a page's HTML from that of index.html. `html` replaces the splash, and `welcome` stands beside it. */
export function fill(index, { title, html, welcome, css, inline, later, isWhole }) {
  // A disabled link is not fetched. Vite finds it and does not request the styles again with the code.
  const links = inline.map((file) => `<link rel="stylesheet" href="/${file}" disabled>`);
  const meta = `<meta name="page-files" content="${escaped(JSON.stringify(later))}">`;
  let filled = index
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, "")
    .replace("</head>", () => `${meta}<style>${css}</style>${links.join("")}</head>`);
  if (title) filled = filled.replace(/<title>.*?<\/title>/, () => `<title>${escaped(title)}</title>`);
  if (html) {
    filled = filled.replace(ROOT, (_all, open, _splash, close) => open + html + close);
    if (!filled.includes(html)) throw new Error("index.html has no root to fill");
  }
  if (welcome) {
    filled = filled.replace(ROOT, (all) => `${all}<template id="welcome">${welcome}</template>`);
  }
  return isWhole ? filled.replace(START_FAILED, "") : filled;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.NODE_ENV = "production";
  // The globals of the browser that the code reads while it is loaded.
  globalThis.localStorage = { getItem: () => null };
  globalThis.document = { documentElement: {} };
  Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] } });
  const index = await readFile(new URL("index.html", dist), "utf8");
  const manifest = readManifest();
  const { pages, welcome } = await renderPages();
  const write = async (file, { sources = [], texts = [], ...content }) => {
    const { inline, later } = pageFilesOf(manifest, { sources, texts });
    const css = await Promise.all(inline.map((name) => readFile(new URL(name, dist), "utf8")));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      fill(index, { ...content, css: css.join("").replaceAll("</", "<\\/"), inline, later }),
    );
  };
  for (const { path, ...page } of pages)
    await write(fileURLToPath(new URL(`.${pageFile(path)}`, dist)), page);
  await write(fileURLToPath(new URL("index.html", dist)), { welcome });
  console.log(`prerendered /, ${pages.map(({ path }) => path).join(", ")}`);
}
