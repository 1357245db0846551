// Writes the static pages of `src/app/prerender.tsx` beside dist/index.html: the gateway serves /privacy from
// privacy.html. Each is index.html with its content in place of the splash, and the chunks of its screen preloaded.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { closure, dist, filesOf, readManifest } from "./manifest.mjs";

const frontend = fileURLToPath(new URL("..", import.meta.url));

/** Renders the pages with the code of a build for Node, so that styles have the names of the real build. */
async function renderPages() {
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
    const { staticPages } = await import(pathToFileURL(join(outDir, "prerender.mjs")).href);
    return staticPages();
  } finally {
    await rm(outDir, { recursive: true });
  }
}

/** A page's HTML from the one of index.html. */
export function fill(index, { title, html, scripts, styles }) {
  const missing = (file) => !index.includes(`href="/${file}"`) && !index.includes(`src="/${file}"`);
  const first = styles.filter(missing).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  const then = scripts
    .filter(missing)
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const filled = index
    .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
    // Nothing is painted before the styles are there, so they are requested before the scripts.
    .replace("<script", () => `${first.join("")}<script`)
    .replace("</head>", () => `${then.join("")}</head>`)
    .replace(
      /(<div id="root">)[\s\S]*?(<\/div>)(?=\s*<p id="start-failed")/,
      (_all, open, end) => open + html + end,
    );
  if (!filled.includes(html)) throw new Error("index.html has no root to fill");
  return filled;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.NODE_ENV = "production";
  // What the code reads of the browser when it is loaded.
  globalThis.localStorage = { getItem: () => null };
  globalThis.document = { documentElement: {} };
  Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] } });
  const index = await readFile(new URL("index.html", dist), "utf8");
  const manifest = readManifest();
  const pages = await renderPages();
  for (const { path, title, html, sources } of pages) {
    const file = join(fileURLToPath(dist), `${path}.html`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, fill(index, { title, html, ...filesOf(manifest, closure(manifest, sources)) }));
  }
  console.log(`prerendered ${pages.map(({ path }) => path).join(", ")}`);
}
