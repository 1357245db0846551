// Writes the runs with which the screening of exact presses is measured; docs/fair-play.md has the table.
import { readFileSync, writeFileSync } from "node:fs";
import { ROOT, rulesPath } from "./games.mjs";
import { importModule } from "./vite.mjs";

const { instantiateRules } = await importModule("sdk/rules");
const { KINDS, labelledRun } = await importModule("duma-dash/bots/labelled");
const rules = await instantiateRules(readFileSync(rulesPath("duma-dash")));
const runsOf = (kind) => Array.from({ length: kind.runs }, (_, index) => labelledRun(rules, kind, index));
const path = `${ROOT}../svc-games/tests/it/labelled_runs.txt`;
writeFileSync(path, `${KINDS.flatMap(runsOf).join("\n")}\n`);
