import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export { chromium };

/** The URLs of the running mesh, as `cargo xtask env` prints them. */
export const PLAYON_URL = process.env.PLAYON_URL ?? "http://127.0.0.1:8080";
export const SANDBOX_URL = process.env.SANDBOX_URL ?? "http://127.0.0.1:8090";

const ARTIFACTS = fileURLToPath(new URL("./artifacts/", import.meta.url));
const PHONE_SCREEN = { width: 390, height: 844 };

/** Starts Chromium, with more flags if any. */
export function launch(flags = [], executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium") {
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // On phones Chrome gives the frame of another site no process of its own, unless a player types a password there.
      "--disable-site-isolation-trials",
      "--disable-features=IsolateOrigins,site-per-process",
      ...flags,
    ],
  });
}

/** Opens a phone with an empty browser profile, with more of the context's options. `errors` collects page and console errors for the test to check. */
export async function openPhone(browser, colorScheme = "dark", options = {}) {
  const context = await browser.newContext({
    viewport: PHONE_SCREEN,
    deviceScaleFactor: 2,
    hasTouch: true,
    colorScheme,
    locale: "en-GB",
    timezoneId: "Africa/Nairobi",
    ...options,
  });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // The browser logs every non-2xx reply as an error. The journeys check what the page makes of it instead.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      errors.push(message.text());
  });
  return { context, page, errors };
}

export async function screenshot(page, name) {
  mkdirSync(ARTIFACTS, { recursive: true });
  // Let fonts and animations finish, so that screenshots are stable.
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${ARTIFACTS}${name}.png` });
}

/**
 * Waits until a screen has its title, its content and its pictures: skeletons are not what a player reads. The network
 * never falls idle, because a tab's live stream stays open.
 */
export async function settle(page) {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-label="Loading"], [aria-busy="true"]') &&
      [...document.images].every((image) => image.complete || image.loading === "lazy"),
  );
}

/** Refuses both storages, as a browser does whose owner blocks cookies. */
export function refuseStorage() {
  for (const storage of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, storage, {
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  }
}
