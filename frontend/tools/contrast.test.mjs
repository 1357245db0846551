// The contrast of messages in rooms, by the values of the style sheets.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const read = (path) => readFileSync(resolve("src", path), "utf8");
const bubbles = read("ui/bubbles.css");
const tokens = read("ui/tokens.css");

/** WCAG 2.2, success criterion 1.4.3: the contrast of text. */
const LEAST = 4.5;
/** The ground shines through a message that is being sent. */
const SENDING_OPACITY = Number(
  /\[data-sending="true"\] \.bubble \{\s*opacity: ([\d.]+)/.exec(
    read("features/chat/Bubble.module.css"),
  )?.[1],
);

function rgbOf(hex) {
  const [red = "", green = "", blue = ""] = hex.match(/[0-9a-f]{2}/gi) ?? [];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** The relative luminance, as WCAG defines it. */
function luminance(colour) {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const over = (top, ground, opacity) =>
  top.map((value, n) => value * opacity + (ground[n] ?? 0) * (1 - opacity));

const pairs = [...bubbles.matchAll(/\.b-(\d) \{\s*--b: (#[0-9a-f]{6});\s*--on-b: (#[0-9a-f]{6});\s*\}/g)].map(
  ([, pair = "", back = "", text = ""]) => ({ pair: Number(pair), back: rgbOf(back), text: rgbOf(text) }),
);
const [dark = "", light = ""] = tokens.split("@media (prefers-color-scheme: light)");
const groundOf = (theme) => rgbOf(/--ground: (#[0-9a-f]{6})/.exec(theme)?.[1] ?? "");

test("the contrast is computed as WCAG defines it", () => {
  expect(contrast(rgbOf("#000000"), rgbOf("#ffffff"))).toBeCloseTo(21);
  expect(contrast(rgbOf("#777777"), rgbOf("#ffffff"))).toBeCloseTo(4.48, 2);
});

test("there are seven pairs of colours, the same ones in both themes", () => {
  expect(pairs.map(({ pair }) => pair)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(bubbles.match(/--(?:on-)?b:/g)).toHaveLength(14);
  expect(bubbles).not.toContain("@media");
  expect(tokens).not.toMatch(/--(?:on-)?b:/);
});

test.each(pairs)("the text of pair $pair is readable", ({ back, text }) => {
  expect(contrast(back, text)).toBeGreaterThanOrEqual(LEAST);
});

test.each([
  ["dark", dark],
  ["light", light],
])("an own message on its way is readable in the %s theme", (_, theme) => {
  const ground = groundOf(theme);
  const [own] = pairs;
  const [back, text] = [own.back, own.text].map((colour) => over(colour, ground, SENDING_OPACITY));
  expect(contrast(back, text)).toBeGreaterThanOrEqual(LEAST);
});
