import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

/** Chromium 92, the oldest that PlayOn supports, as its npm package has it. */
const PACKED = fileURLToPath(new URL("./node_modules/chrome-aws-lambda/bin/chromium.br", import.meta.url));

/** Unpacks the old Chromium once a machine, and returns its path. */
export async function oldChromium() {
  const path = join(tmpdir(), "playon-chromium-92");
  if (existsSync(path)) return path;
  const partial = `${path}.${process.pid}`;
  await pipeline(
    createReadStream(PACKED),
    createBrotliDecompress(),
    createWriteStream(partial, { mode: 0o755 }),
  );
  await rename(partial, path);
  return path;
}
