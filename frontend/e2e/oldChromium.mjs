import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

const pathOf = (file) => fileURLToPath(new URL(`./node_modules/${file}`, import.meta.url));

/** Chromium 92, the oldest that PlayOn supports, as its npm package has it. */
const PACKED = pathOf("chrome-aws-lambda/bin/chromium.br");
const UNPACKED = pathOf(".cache/chromium-92");

/** Unpacks the old Chromium, unless it is there, and returns its path. */
export async function oldChromium() {
  if (existsSync(UNPACKED)) return UNPACKED;
  await mkdir(pathOf(".cache"), { recursive: true });
  const partial = `${UNPACKED}.part`;
  await pipeline(
    createReadStream(PACKED),
    createBrotliDecompress(),
    createWriteStream(partial, { mode: 0o755 }),
  );
  await rename(partial, UNPACKED);
  return UNPACKED;
}
