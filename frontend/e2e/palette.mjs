// Writes pictures with a palette of few colours, which makes those of the gallery a third as large.
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

const MAX_COLOURS = 128;
/** Colours nearer to each other than this, summed over their channels, share a place in the palette. */
const NEAR = 14;
const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const INDEXED = 3;

const colourAt = (data, at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
const distance = (one, other) =>
  Math.abs((one >> 16) - (other >> 16)) +
  Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)) +
  Math.abs((one & 255) - (other & 255));

/** The most frequent colours, without those that are near to a more frequent one. */
function paletteOf(data) {
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = colourAt(data, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [];
  for (const [colour] of [...counts].sort((one, other) => other[1] - one[1])) {
    if (palette.length === MAX_COLOURS) break;
    if (palette.every((chosen) => distance(colour, chosen) > NEAR)) palette.push(colour);
  }
  return palette;
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** Returns the picture with a palette, each pixel in the nearest colour of the palette. */
export function withPalette(bytes) {
  const { data, width, height } = PNG.sync.read(bytes);
  const palette = paletteOf(data);
  const places = new Map();
  const placeOf = (colour) => {
    if (!places.has(colour)) {
      const distances = palette.map((each) => distance(colour, each));
      places.set(colour, distances.indexOf(Math.min(...distances)));
    }
    return places.get(colour);
  };
  // Each row begins with the number of its filter: 0 for none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = placeOf(colourAt(data, (y * width + x) * 4));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
