// Text at twice its size on small phones: browsers offer that to players with weak eyes.
const PHONES = [
  { width: 360, height: 640 },
  { width: 360, height: 800 },
];

const setTextSize = (page, size) =>
  page.evaluate((fontSize) => Object.assign(document.documentElement.style, { fontSize }), size);

/** Waits for transitions, which take a frame even when they have no duration. */
export const transitionsEnd = (page) =>
  page.waitForFunction(() => document.getAnimations().every((each) => each.playState !== "running"));

/** Returns the controls and texts that such phones would cut off at their sides. */
export async function cutOff(page) {
  const usual = page.viewportSize();
  const found = new Set();
  await setTextSize(page, "200%");
  for (const phone of PHONES) {
    await page.setViewportSize(phone);
    // The page is laid out for the new width in a frame that follows.
    await page.evaluate(() => new Promise((laidOut) => requestAnimationFrame(() => setTimeout(laidOut))));
    await transitionsEnd(page);
    for (const text of await page.evaluate(cutOffNow)) found.add(text);
  }
  await setTextSize(page, "");
  await page.setViewportSize(usual);
  return [...found];
}

/** Runs in the page. */
function cutOffNow() {
  // A row of cards that a finger moves sideways may reach beyond the screen, and so may a line that ends in '…'.
  const isBounded = (element) => {
    const { scrollSnapType, textOverflow } = getComputedStyle(element);
    return scrollSnapType !== "none" || textOverflow === "ellipsis";
  };
  const ancestors = function* (element) {
    for (let each = element.parentElement; each; each = each.parentElement) yield each;
  };
  const cut = [...document.querySelectorAll("a, button, input, h1, h2, h3, p, output")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    // Texts for screen readers alone are a pixel wide, or clipped.
    const isShown =
      width > 1 &&
      element.checkVisibility({ visibilityProperty: true }) &&
      getComputedStyle(element).clipPath === "none";
    const isOutside = left < -1 || right > window.innerWidth + 1;
    return isShown && isOutside && ![...ancestors(element)].some(isBounded);
  });
  return cut.map((element) => element.textContent || element.outerHTML);
}
