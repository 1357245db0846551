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
