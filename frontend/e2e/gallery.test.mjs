// The gallery of the parts in src/ui: axe finds nothing, and each part matches its stored picture, in both themes. It
// needs no running mesh. KEEP_PICTURES=1 replaces the stored pictures.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { findings } from "./axe.mjs";
import { launch, openPhone } from "./browser.mjs";
import { compare } from "./compare.mjs";
import { withPalette } from "./palette.mjs";

const PICTURES = fileURLToPath(new URL("../gallery/pictures/", import.meta.url));
const ARTIFACTS = fileURLToPath(new URL("./artifacts/gallery/", import.meta.url));
const ORIGIN = "http://gallery.test";
const THEMES = ["dark", "light"];
const MAX_BYTES = 600_000;
const keeps = process.env.KEEP_PICTURES === "1";

let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "playon-gallery-"));
  const configFile = fileURLToPath(new URL("../gallery/vite.config.ts", import.meta.url));
  await build({ configFile, logLevel: "error", build: { outDir: folder, emptyOutDir: true } });
  browser = await launch(["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"]);
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** A page whose requests are answered from the built gallery, at a fixed time. */
async function openGallery() {
  const phone = await openPhone(browser, "dark", {
    deviceScaleFactor: 1,
    viewport: { width: 390, height: 760 },
  });
  await phone.context.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(folder, pathname === "/" ? "index.html" : pathname) });
  });
  await phone.page.clock.setFixedTime(new Date("2026-11-20T12:00:00Z"));
  return phone;
}

/** Waits until the page stands still: fonts, pictures, and animations that end. */
async function settle(page) {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) image.loading = "eager";
    await Promise.all(Array.from(document.images, (image) => image.decode()));
  });
  await page.waitForFunction(() => {
    const running = document
      .getAnimations()
      .filter(
        ({ effect, playState }) => playState === "running" && effect.getTiming().iterations !== Infinity,
      );
    return running.length === 0;
  });
}

async function take(page, part) {
  await settle(page);
  const section = page.locator(`[data-part="${part}"]`);
  const target = (await section.count()) > 0 ? section : page;
  return target.screenshot({ animations: "disabled", caret: "hide" });
}

test("each part of the kit is accessible, and looks as it is kept", async () => {
  const { context, page, errors } = await openGallery();
  await page.goto(ORIGIN);
  const names = await page.locator("[data-parts]").getAttribute("data-parts");
  const parts = names.split(" ");
  const wrong = [];
  if (keeps) rmSync(PICTURES, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
  for (const part of parts) {
    await page.goto(`${ORIGIN}/?part=${part}`);
    for (const colorScheme of THEMES) {
      const name = `${part}-${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      const taken = await take(page, part);
      wrong.push(...(await findings(page)).map((finding) => `${name}: ${finding}`));
      const file = join(PICTURES, `${name}.png`);
      if (keeps) writeFileSync(file, withPalette(taken));
      const difference = compare(readFileSync(file), taken);
      if (!difference) continue;
      mkdirSync(ARTIFACTS, { recursive: true });
      writeFileSync(join(ARTIFACTS, `${name}.png`), taken);
      if (difference.picture) writeFileSync(join(ARTIFACTS, `${name}-difference.png`), difference.picture);
      wrong.push(`${name}: ${difference.reason}; see e2e/artifacts/gallery`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(errors, []);
  await context.close();
  const kept = readdirSync(PICTURES);
  assert.equal(kept.length, parts.length * THEMES.length, "there are pictures of parts that are gone");
  const bytes = kept.reduce((sum, file) => sum + readFileSync(join(PICTURES, file)).length, 0);
  assert.ok(bytes <= MAX_BYTES, `the kept pictures have ${bytes} bytes`);
});
