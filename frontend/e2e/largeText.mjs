// Text at twice its size on a small phone, as a player sets it who sees little.
const SMALL_PHONE = { width: 360, height: 640 };

/** Returns the controls and texts that such a phone would cut off at its sides. */
export async function cutOff(page) {
  const usual = page.viewportSize();
  await page.setViewportSize(SMALL_PHONE);
  const found = await page.evaluate(() => {
    const root = document.documentElement;
    root.style.fontSize = "200%";
    const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    // A part that scrolls sideways, such as a row of cards, may reach beyond the screen; the page itself may not.
    const ancestors = function* (element) {
      for (let each = element.parentElement; each !== document.body; each = each.parentElement) yield each;
    };
    const cut = [...document.querySelectorAll("a, button, input, h1, h2, h3, p, output")].filter(
      (element) => {
        const { left, right, width } = element.getBoundingClientRect();
        // Texts for screen readers alone are a pixel wide.
        const isShown = width > 1 && element.checkVisibility({ visibilityProperty: true });
        const isOutside = left < -1 || right > window.innerWidth + 1;
        return isShown && isOutside && ![...ancestors(element)].some(scrolls);
      },
    );
    const texts = cut.map((element) => element.textContent || element.outerHTML);
    root.style.fontSize = "";
    return texts;
  });
  await page.setViewportSize(usual);
  return found;
}
