// Writes a .br and a .gz beside every file of the build that is worth compressing, so that the gateway can serve them
// without compressing the same bytes for every visitor. Because it happens once, it uses the highest level.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A file up to this size fits into the first packets uncompressed. */
const MIN_BYTES = 1024;
/** Fonts and pictures are already compressed. */
const COMPRESSIBLE = /\.(?:js|mjs|css|html|svg|json|webmanifest|txt|wasm)$/;

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

const encodings = [
  {
    ending: ".br",
    encode: (bytes) =>
      brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
  },
  { ending: ".gz", encode: (bytes) => gz(bytes, { level: constants.Z_BEST_COMPRESSION }) },
];

/** Compresses the files of a folder. Returns the number of files, and their total bytes before and after brotli. */
export async function compress(folder) {
  const names = await readdir(folder, { recursive: true });
  const total = { files: 0, before: 0, after: 0 };
  for (const name of names) {
    // Files in dot folders are not served.
    if (!COMPRESSIBLE.test(name) || name.split(sep).some((part) => part.startsWith("."))) continue;
    const file = join(folder, name);
    const bytes = await readFile(file);
    if (bytes.length <= MIN_BYTES) continue;
    const sizes = await Promise.all(
      encodings.map(async ({ ending, encode }) => {
        const encoded = await encode(bytes);
        await writeFile(file + ending, encoded);
        return encoded.length;
      }),
    );
    total.files += 1;
    total.before += bytes.length;
    total.after += sizes[0];
  }
  return total;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, before, after } = await compress(fileURLToPath(new URL("../dist", import.meta.url)));
  console.log(
    `compressed ${files} files: ${Math.round(before / 1000)} kB, ${Math.round(after / 1000)} kB in brotli`,
  );
}
