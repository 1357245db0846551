// Tests that Biome enforces the rules of imports, URLs and colours, in biome.json and the .grit files here.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const importing = (from) => `import { a } from "${from}";\n\nexport const b = a;\n`;
const route = 'export const route = { path: "/account" };\n';
const red = ".a {\n  color: rgb(1 2 3);\n}\n";

const ALLOWED = [
  ["src/app/routes/a.tsx", importing("@/features/wallet/a")],
  ["src/app/paths.ts", route],
  ["src/features/wallet/a.ts", importing("@/entities/player/a")],
  ["src/features/wallet/b.ts", importing("@/features/wallet/c")],
  ["src/features/wallet/hooks/a.ts", importing("../api/b")],
  ["src/features/wallet/api.ts", importing("@/lib/http/client")],
  ["src/features/wallet/api/pay.ts", importing("@/lib/http/client")],
  ["src/entities/player/api.ts", importing("@/lib/http/client")],
  ["src/entities/player/components/a.ts", importing("../model")],
  ["src/entities/player/c.ts", importing("@/entities/player/model")],
  ["src/ui/A.tsx", importing("@/lib/i18n/i18n")],
  ["src/ui/tokens.css", red],
];
const REFUSED = [
  ["src/app/routes/b.tsx", route],
  ["src/features/auth/a.ts", importing("@/app/paths")],
  ["src/features/auth/b.ts", importing("@/features/wallet/a")],
  ["src/features/auth/c.ts", importing("../wallet/a")],
  ["src/features/auth/hooks/a.ts", importing("../../wallet/a")],
  ["src/features/auth/d.ts", importing("@/lib/http/client")],
  ["src/features/auth/e.ts", 'export const b = () => import("@/features/wallet/a");\n'],
  ["src/entities/player/a.ts", importing("@/features/auth/a")],
  ["src/entities/player/b.ts", importing("@/entities/game/a")],
  ["src/entities/player/d.ts", importing("@/lib/http/client")],
  ["src/entities/player/e.ts", importing("@/app/paths")],
  ["src/entities/player/f.ts", importing("../game/a")],
  ["src/entities/player/g.ts", 'export const b = () => import("@/features/auth/a");\n'],
  ["src/entities/player/components/b.ts", importing("../../game/a")],
  ["src/entities/player/components/c.ts", importing("../../../features/auth/a")],
  ["src/features/auth/components/a.ts", importing("../../wallet/components/a")],
  ["src/features/auth/components/b.ts", importing("@/lib/http/client")],
  ["src/ui/C.tsx", importing("../entities/player/a")],
  ["src/ui/D.tsx", importing("../features/wallet/a")],
  ["src/lib/b.ts", importing("../ui/A")],
  ["src/lib/c.ts", importing("@/entities/player/a")],
  ["src/lib/http/a.ts", importing("../../entities/player/a")],
  ["src/ui/B.tsx", importing("@/entities/player/a")],
  ["src/ui/B.module.css", red],
  ["src/lib/a.ts", importing("@/ui/A")],
];

let project;
let refused;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "rules-"));
  cpSync("biome.json", join(project, "biome.json"));
  cpSync("tools", join(project, "tools"), { recursive: true, filter: (name) => !/\.(mjs|ts)$/.test(name) });
  for (const [path, text] of [...ALLOWED, ...REFUSED]) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const biome = resolve("node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", "src"];
  const { stdout } = spawnSync("node", args, { cwd: project, encoding: "utf8" });
  refused = new Set(
    JSON.parse(stdout).diagnostics.map(({ location }) => location.path?.file ?? location.path),
  );
});
afterAll(() => rmSync(project, { recursive: true }));

test.each(ALLOWED)("%s may hold: %s", (path) => {
  expect(refused).not.toContain(path);
});

test.each(REFUSED)("%s may not hold: %s", (path) => {
  expect(refused).toContain(path);
});
