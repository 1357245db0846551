// Reads the texts of a PDF whose fonts are embedded with character maps, as in statements.
import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";

const ESCAPES = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The bytes of a string in a page's content, `<0041>` or `(\000A)`, as Latin-1. */
function bytesOf(written) {
  if (written.startsWith("<")) return Buffer.from(written.slice(1, -1), "hex").toString("latin1");
  return written
    .slice(1, -1)
    .replace(/\\([0-7]{1,3}|.)/gs, (_all, code) =>
      /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}

/** Returns the character of each glyph of a font. */
function meaningOf(cmap) {
  const pairs = cmap.matchAll(/<([\da-f]{4})> <([\da-f]{4})>$/gim);
  return new Map(
    [...pairs].map(([, glyph, letter]) => [
      glyph.toLowerCase(),
      String.fromCharCode(Number.parseInt(letter, 16)),
    ]),
  );
}

/** Returns the compressed parts of a PDF: fonts, their character maps, and pages. */
function partsOf(file) {
  const heads = file.toString("latin1").matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g);
  return [...heads].map(({ 0: head, 1: length, index }) => {
    const start = index + head.length;
    return inflateSync(file.subarray(start, start + Number(length))).toString("latin1");
  });
}

/** The texts of a PDF, in the order in which they are written. */
export function textsOfPdf(file) {
  const source = file.toString("latin1");
  assert.ok(source.startsWith("%PDF-") && source.trimEnd().endsWith("%%EOF"), "a whole PDF");
  const parts = partsOf(file);
  const fonts = parts.filter((part) => part.includes("beginbfchar")).map(meaningOf);
  const read = ([, font, written]) =>
    Buffer.from(bytesOf(written), "latin1")
      .toString("hex")
      .replace(/.{4}/g, (glyph) => fonts[font - 1].get(glyph) ?? "?");
  return parts
    .filter((part) => /^BT$/m.test(part))
    .flatMap((page) =>
      [...page.matchAll(/\/F(\d) [\d.]+ Tf.*?(<[^>]*>|\((?:[^\\)]|\\.)*\)) Tj/gs)].map(read),
    );
}
