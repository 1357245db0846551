import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepAssets } from "../tools/keep-assets.mjs";
import { PLAYON_URL } from "./browser.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};
const TEXT = /\.(?:html|js|css|webmanifest)$/;
/** The version of index.html in the service worker's list of files. */
const REVISION = /("revision":")(?=[0-9a-f]+","url":"index\.html")/;
const CALLS = /^\/(?:api|media|hooks)\/|^\/playon\./;

function forward(incoming, outgoing) {
  const { hostname, port } = new URL(PLAYON_URL);
  const { method, url, headers } = incoming;
  const call = request({ hostname, port, method, path: url, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode, reply.headers);
    reply.pipe(outgoing);
  });
  call.on("error", () => outgoing.destroy());
  incoming.pipe(call);
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns an asset's name in a release: `terms-D1a2b3c4.js` of the build is `terms-D1a2b3c4-2.js` in release 2. */
function renamed(name, release) {
  const end = extname(name);
  return `${name.slice(0, -end.length)}-${release}${end}`;
}

/**
 * Copies dist/ as the release with this number. Every asset gets another name in each release, as if it had changed;
 * the page contains the release's number, and the service worker differs by it.
 */
async function build(folder, release) {
  await cp(dist, folder, { recursive: true, filter: (file) => !/\.(?:br|gz)$/.test(file) });
  const assets = await filesIn(join(folder, "assets"));
  const names = new Set(assets.map((file) => basename(file)));
  for (const file of assets) await rename(file, join(dirname(file), renamed(basename(file), release)));
  for (const file of (await filesIn(folder)).filter((each) => TEXT.test(each))) {
    const text = (await readFile(file, "utf8"))
      .replace(/[\w.-]+\.(?:js|css|svg|png|woff2)/g, (name) =>
        names.has(name) ? renamed(name, release) : name,
      )
      .replace("<head>", `<head><meta name="release" content="${release}">`)
      .replace(REVISION, `$1${release}`);
    await writeFile(file, text);
  }
}

/**
 * Serves dist/ like the gateway, and forwards calls to the running mesh. `release(2)` replaces it by release 2, with
 * the assets of the release before that the build step keeps.
 */
export async function serveReleases() {
  const folder = await mkdtemp(join(tmpdir(), "releases-"));
  let served = "";
  const release = async (number) => {
    const next = join(folder, String(number));
    await mkdir(next);
    await build(next, number);
    await keepAssets(join(next, "assets"), join(folder, "archive"), Date.now());
    served = next;
  };
  await release(1);
  const server = createServer(async (incoming, outgoing) => {
    if (CALLS.test(incoming.url)) return forward(incoming, outgoing);
    const { pathname } = new URL(incoming.url, "http://localhost");
    const path = extname(pathname) ? pathname : "/index.html";
    const file = await readFile(join(served, path)).catch(() => null);
    outgoing.writeHead(file ? 200 : 404, {
      "content-type": TYPES[extname(path)],
      "cache-control": "no-cache",
    });
    outgoing.end(file ?? undefined);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    release,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}
