// Draws the icons of the installed app from public/mark.svg. Needs Chromium; run it by hand when the mark changes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const mark = readFileSync(new URL("../../public/mark.svg", import.meta.url), "utf8");
const out = (name) => fileURLToPath(new URL(`../../public/icons/${name}.png`, import.meta.url));
const BACKGROUND = "#120e1a";

/**
 * `share` is the mark's share of the icon's width; a maskable icon keeps the mark inside the safe circle. Android draws
 * a monochrome icon in a colour of its own, wherever it is not transparent.
 */
const icons = [
  { name: "icon-192", size: 192, share: 0.74, radius: 0.22 },
  { name: "icon-512", size: 512, share: 0.74, radius: 0.22 },
  { name: "maskable-512", size: 512, share: 0.56, radius: 0 },
  { name: "apple-touch", size: 180, share: 0.66, radius: 0 },
  { name: "monochrome-192", size: 192, share: 0.74, radius: 0, background: "transparent" },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
for (const { name, size, share, radius, background = BACKGROUND } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0}div{width:${size}px;height:${size}px;border-radius:${radius * 100}%;background:${background};display:grid;place-items:center}svg{width:${share * 100}%}</style><div>${mark}</div>`,
  );
  await page.screenshot({ path: out(name), omitBackground: true });
}
await browser.close();
