import { isBlurhashValid } from "blurhash";
import { expect, test } from "vitest";
import { placeOf, shapeOf } from "./picture";

const HASH = "LEHV6nWB2yk8pyo0adR*.7kCMdnj";
const hex = [...HASH].map((letter) => (letter.codePointAt(0) ?? 0).toString(16)).join("");
const stem = `/media/chat/01234567-89ab-7def-8123-456789abcdef/${"ab".repeat(16)}-640x480-${hex}`;

test("a picture's URL says its size, its BlurHash and its thumbnail", () => {
  const shape = shapeOf(`${stem}.png`);
  expect(shape).toEqual({ thumbnail: `${stem}-tpng.jpg`, width: 640, height: 480, blurHash: HASH });
  expect(isBlurhashValid(shape?.blurHash ?? "").result).toBe(true);
});

test.each([
  stem,
  `${stem}-tpng.jpg`,
  `https://evil.example${stem}.png`,
  `${stem.replace("640x480", "0x480")}.png`,
  `/media/chat/01234567-89ab-7def-8123-456789abcdef/${"ab".repeat(16)}.png`,
])("%s says nothing", (url) => {
  expect(shapeOf(url)).toBeNull();
});

test("a place is neither a strip nor a tower", () => {
  const place = (width: number, height: number) => placeOf({ thumbnail: "", width, height, blurHash: HASH });
  expect(place(400, 300)).toBeCloseTo(4 / 3);
  expect(place(1, 100)).toBeCloseTo(3 / 5);
  expect(place(100, 1)).toBe(2);
});
