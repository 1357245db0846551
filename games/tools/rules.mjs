import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import asc from "assemblyscript/asc";
import { listGames, ROOT, rulesPath } from "./games.mjs";

/** Compiles the rules of a game to WebAssembly. The same source and compiler give the same bytes. */
export async function compileRules(slug) {
  mkdirSync(`${ROOT}.rules`, { recursive: true });
  const { error, stderr } = await asc.main([
    `${slug}/rules/index.ts`,
    "--baseDir",
    ROOT,
    "--outFile",
    `.rules/${slug}.wasm`,
    "--runtime",
    "stub",
    "-O3",
    "--noAssert",
    "--use",
    "abort=",
  ]);
  if (error) throw new Error(`The rules of ${slug} do not compile:\n${stderr.toString()}`);
  const bytes = readFileSync(rulesPath(slug));
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

if (process.argv[1] === `${ROOT}tools/rules.mjs`) {
  for (const slug of listGames()) {
    try {
      const { bytes, sha256 } = await compileRules(slug);
      console.log(`${slug}: rules ${bytes.length} bytes, sha256 ${sha256.slice(0, 12)}`);
    } catch (error) {
      console.error(String(error.message ?? error));
      process.exitCode = 1;
    }
  }
}
