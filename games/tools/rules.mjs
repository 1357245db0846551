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
    "--maximumMemory",
    "64",
    "--textFile",
    `.rules/${slug}.wat`,
  ]);
  if (error) throw new Error(`The rules of ${slug} do not compile:\n${stderr.toString()}`);
  const bytes = readFileSync(rulesPath(slug));
  checkRules(slug, bytes, readFileSync(`${ROOT}.rules/${slug}.wat`, "utf8"));
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

const EXPORTS = ["abi", "ticks_per_second", "inputs", "init", "step", "score", "state", "memory"];
const EXPORTS_OF_PIECES = ["piece_steps", "feed"];

/** Checks a rules module as the server does when an operator applies a game. */
function checkRules(slug, bytes, text) {
  const module = new WebAssembly.Module(bytes);
  const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
  const hasPieces = EXPORTS_OF_PIECES.some((name) => names.includes(name));
  const needed = hasPieces ? [...EXPORTS, ...EXPORTS_OF_PIECES] : EXPORTS;
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`The rules of ${slug} do not export ${missing.join(", ")}.`);
  const [imported] = WebAssembly.Module.imports(module);
  if (imported) throw new Error(`The rules of ${slug} import ${imported.module}.${imported.name}.`);
  const float = /\bf(?:32|64)\b[.\w]*/.exec(text)?.[0];
  if (float) throw new Error(`The rules of ${slug} use floats: ${float} (.rules/${slug}.wat shows where).`);
  if (bytes.length > 1 << 20) throw new Error(`The rules of ${slug} are above 1 MiB.`);
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
