// Serves all games with reload: http://127.0.0.1:5186/play/{slug}/ (PORT changes the port).
import { createServer } from "vite";
import { listPages, ROOT } from "./games.mjs";
import { compileRules } from "./rules.mjs";
import { shared } from "./vite.mjs";

/** Compiles the rules again at every request for `/play/{slug}/rules.wasm`. */
const rules = {
  name: "rules",
  configureServer(server) {
    server.middlewares.use(async (request, response, next) => {
      const slug = /^\/play\/([a-z0-9-]+)\/rules\.wasm/.exec(request.url ?? "")?.[1];
      if (!slug) return next();
      try {
        const { bytes } = await compileRules(slug);
        response.setHeader("Content-Type", "application/wasm");
        response.end(bytes);
      } catch (error) {
        console.error(error.message);
        response.statusCode = 500;
        response.end(error.message);
      }
    });
  },
};

const server = await createServer({
  ...shared,
  root: ROOT,
  base: "/play/",
  cacheDir: `${ROOT}node_modules/.vite-${process.env.PORT ?? 5186}`,
  appType: "mpa",
  plugins: [rules],
  server: { host: "127.0.0.1", port: Number(process.env.PORT ?? 5186), strictPort: true },
});
await server.listen();
for (const slug of listPages()) console.log(`http://127.0.0.1:${server.config.server.port}/play/${slug}/`);
