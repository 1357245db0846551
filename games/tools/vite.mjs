import { runnerImport } from "vite";
import { ROOT } from "./games.mjs";

/** The settings that the dev server and the build share. Paths are relative, so that a game works under any folder. */
export const shared = {
  configFile: false,
  logLevel: "warn",
  resolve: { alias: { "@sdk": `${ROOT}sdk` } },
  build: {
    target: ["chrome87", "firefox91", "safari14"],
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
};

/** Imports a TypeScript module by its path in `games`, without the ending: Node.js cannot do so yet. */
export async function importModule(path) {
  const { module } = await runnerImport(`${ROOT}${path}.ts`, { ...shared, root: ROOT });
  return module;
}
