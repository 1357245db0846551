// axe-core, run in the page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Returns what axe finds on the page in its present state. */
export async function findings(page) {
  // A script element would violate the Content-Security-Policy, so the page evaluates the code.
  await page.evaluate(AXE);
  return page.evaluate(async (values) => {
    const result = await window.axe.run(document, {
      runOnly: { type: "tag", values },
      resultTypes: ["violations"],
    });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, RULES);
}
