// Text at twice its size on small phones: browsers offer that to players with weak eyes.
const PHONES = [
  { width: 360, height: 640 },
  { width: 360, height: 800 },
];

/** Returns the controls and texts that such phones would cut off at their sides. */
export async function cutOff(page) {
  const usual = page.viewportSize();
  const found = new Set();
  for (const phone of PHONES) {
    await page.setViewportSize(phone);
    // The page is laid out for the new width in a frame that follows.
    await page.evaluate(() => new Promise((laidOut) => requestAnimationFrame(() => setTimeout(laidOut))));
    for (const text of await page.evaluate(cutOffNow)) found.add(text);
  }
  await page.setViewportSize(usual);
  return [...found];
}

/** Runs in the page. */
function cutOffNow() {
  const root = document.documentElement;
  root.style.fontSize = "200%";
  // A row of cards that a finger moves sideways may reach beyond the screen.
  const isRow = (element) => getComputedStyle(element).scrollSnapType !== "none";
  const ancestors = function* (element) {
    for (let each = element.parentElement; each; each = each.parentElement) yield each;
  };
  const cut = [...document.querySelectorAll("a, button, input, h1, h2, h3, p, output")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    // Texts for screen readers alone are a pixel wide.
    const isShown = width > 1 && element.checkVisibility({ visibilityProperty: true });
    const isOutside = left < -1 || right > window.innerWidth + 1;
    return isShown && isOutside && ![...ancestors(element)].some(isRow);
  });
  const texts = cut.map((element) => element.textContent || element.outerHTML);
  root.style.fontSize = "";
  return texts;
}
