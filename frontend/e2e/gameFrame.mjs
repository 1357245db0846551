/** The page of the game that is open inside the app. */
export const gameIn = (page) => page.locator("iframe[sandbox]").contentFrame();

/** Waits until a game is open inside the app, and returns the address of its page. */
export async function gameAddress(page) {
  await page.waitForURL(/\/games\/[^/]+\/play$/);
  const frame = await page.locator("iframe[sandbox]").elementHandle();
  return new URL(await frame.getAttribute("src"));
}
