import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** The built app, as the release with this number: the page names it, and the service worker differs by it. */
async function fileOf(path, release) {
  const found = await readFile(join(dist, path)).catch(() => null);
  if (path === "/service-worker.js")
    return `// Release ${release}\n${String(found).replace(REVISION, `$1${release}`)}`;
  if (path === "/index.html" || (!found && !extname(path))) {
    const html = String(await readFile(join(dist, "index.html")));
    return html.replace("<head>", `<head><meta name="release" content="${release}">`);
  }
  return found;
}

/**
 * Serves dist/ like the gateway, and the running mesh's calls. `release(2)` brings another release out, which the browser
 * takes for new because its service worker has changed.
 */
export async function serveReleases() {
  let release = 1;
  const server = createServer(async (incoming, outgoing) => {
    if (CALLS.test(incoming.url)) return forward(incoming, outgoing);
    const { pathname } = new URL(incoming.url, "http://localhost");
    const file = await fileOf(pathname === "/" ? "/index.html" : pathname, release);
    const type = TYPES[extname(pathname)] ?? "text/html";
    outgoing.writeHead(file ? 200 : 404, { "content-type": type, "cache-control": "no-cache" });
    outgoing.end(file ?? undefined);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    release: (number) => {
      release = number;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
