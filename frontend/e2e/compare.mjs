// Compares pictures so that a visible change is found, and the small differences between machines are not.
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** The colour difference of a pixel that counts, from 0 to 1. */
const COLOUR_TOLERANCE = 0.1;
/** The share of pixels that may differ. */
const SHARE_TOLERANCE = 0.002;
/** Maximum difference in the height of a part, in px: lines of text round differently. */
const HEIGHT_TOLERANCE = 2;

/**
 * Halves a picture in width and height, each pixel the mean of four: edges of letters differ between machines, their
 * means hardly do.
 */
function halve({ data, width }, rows) {
  const half = new PNG({ width: width >> 1, height: rows >> 1 });
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const from = (2 * y * width + 2 * x) * 4;
      const to = (y * half.width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const [a, b] = [from + channel, from + width * 4 + channel];
        half.data[to + channel] = (data[a] + data[a + 4] + data[b] + data[b + 4]) / 4;
      }
      half.data[to + 3] = 255;
    }
  }
  return half;
}

/** Returns why two pictures are not alike, with a picture of the differences; null if they are. */
export function compare(kept, taken) {
  const [before, now] = [PNG.sync.read(kept), PNG.sync.read(taken)];
  if (before.width !== now.width || Math.abs(before.height - now.height) > HEIGHT_TOLERANCE)
    return { reason: `was ${before.width}x${before.height}, is ${now.width}x${now.height}`, picture: null };
  const rows = Math.min(before.height, now.height);
  const [one, other] = [halve(before, rows), halve(now, rows)];
  const { width, height } = one;
  const difference = new PNG({ width, height });
  const count = pixelmatch(one.data, other.data, difference.data, width, height, {
    threshold: COLOUR_TOLERANCE,
    includeAA: true,
  });
  const share = count / (width * height);
  if (share <= SHARE_TOLERANCE) return null;
  return { reason: `${(share * 100).toFixed(2)} % of it differs`, picture: PNG.sync.write(difference) };
}
