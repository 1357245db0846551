import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { VitePWA } from "vite-plugin-pwa";
import { defineConfig } from "vitest/config";
import { groups } from "./tools/chunks.ts";

const gateway = "http://127.0.0.1:8080";

const productionOf = (file: string) =>
  fileURLToPath(new URL(`./node_modules/react-router/dist/production/${file}`, import.meta.url));

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src/pwa",
      filename: "service-worker.ts",
      injectRegister: false,
      manifest: {
        name: "PlayOn",
        short_name: "PlayOn",
        description: "Skill and social games for players in Kenya.",
        lang: "en",
        id: "/",
        start_url: "/",
        scope: "/",
        display: "standalone",
        theme_color: "#120e1a",
        background_color: "#120e1a",
        categories: ["games", "entertainment"],
        icons: [
          { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
          { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
          { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
          { src: "/icons/monochrome-192.png", sizes: "192x192", type: "image/png", purpose: "monochrome" },
        ],
        shortcuts: [
          { name: "Games", url: "/games" },
          { name: "Tournaments", url: "/tournaments" },
          { name: "Wallet", url: "/account/wallet" },
        ],
      },
      injectManifest: {
        globPatterns: ["**/*.{js,css,html,woff2,svg}"],
        globIgnores: ["assets/texts/**", "content/**"],
      },
    }),
  ],
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      // react-router's package exports only name the development build, which contains warnings for developers.
      ...(command === "build"
        ? [
            { find: /^react-router$/, replacement: productionOf("index.mjs") },
            { find: /^react-router\/dom$/, replacement: productionOf("dom-export.mjs") },
          ]
        : []),
    ],
  },
  build: {
    // The oldest supported browsers (lib/platform.ts) lack static blocks of it, which no code has.
    target: "es2022",
    manifest: true,
    // Every browser that runs this build supports modulepreload.
    modulePreload: { polyfill: false },
    // The Content-Security-Policy forbids data: fonts, and inlined images would enlarge the code.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Texts get a folder of their own, which the service worker leaves out of its precache.
        chunkFileNames: ({ facadeModuleId }) =>
          /\/(?:locales|first)\/(?:\w+\.)?(?:en|sw)\.ts$/.test(facadeModuleId ?? "")
            ? "assets/texts/[name]-[hash].js"
            : "assets/[name]-[hash].js",
        codeSplitting: {
          groups,
        },
      },
    },
  },
  server: {
    proxy: {
      "/api": gateway,
      "/playon.": gateway,
      "/hooks": gateway,
      "/media": gateway,
      "/play/": gateway,
      "/.well-known": gateway,
    },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.mjs"],
    setupFiles: ["./src/test/setup.ts"],
    // Twice as long as a wait in a test (`src/test/eventually.ts`).
    testTimeout: 30_000,
    restoreMocks: true,
    unstubGlobals: true,
    // One jsdom per worker, because starting one takes longer than most test files. `setup.ts` resets it after each test.
    isolate: false,
    css: { modules: { classNameStrategy: "non-scoped" } },
  },
}));
