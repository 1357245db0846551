import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@sdk": fileURLToPath(new URL("./sdk", import.meta.url)) } },
  test: { include: ["*/test/**/*.test.ts"], testTimeout: 60_000 },
});
