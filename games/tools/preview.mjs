// Serves dist/ as the gateway does, with its headers: http://127.0.0.1:5186/play/{slug}/. PLAYON_ORIGIN names the app.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./games.mjs";

const APP = process.env.PLAYON_ORIGIN ?? "http://127.0.0.1:8080";
const PORT = Number(process.env.PORT ?? 5186);
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? "/", "http://local");
  const path = /^\/play\/([a-z0-9-]+\/(?:assets\/)?[\w.-]*)$/.exec(pathname)?.[1];
  const file = path ? `${ROOT}dist/${path.endsWith("/") ? `${path}index.html` : path}` : "";
  if (!file || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const fixed = path?.includes("/assets/") || (file.endsWith("rules.wasm") && search);
  response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
  response.setHeader("Cache-Control", fixed ? "public, max-age=31536000, immutable" : "no-cache");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader(
    "Content-Security-Policy",
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' ${APP}; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${APP}`,
  );
  let body = readFileSync(file);
  if (file.endsWith(".html"))
    body = body
      .toString()
      .replace('name="playon-origin" content=""', `name="playon-origin" content="${APP}"`);
  if (!file.endsWith(".woff2")) {
    response.setHeader("Content-Encoding", "gzip");
    body = gzipSync(body);
  }
  response.end(body);
}).listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}/play/duma-dash/`));
