// Runs bots that play honest runs through the gateway, as the app and the games' pages do. README.md describes their uses.
import { runnerImport } from "vite";
import { ROOT } from "./games.mjs";
import { shared } from "./vite.mjs";

// Node.js cannot import TypeScript yet.
const load = async (name) => {
  const { module } = await runnerImport(`${ROOT}tools/bots/${name}.ts`, { ...shared, root: ROOT });
  return module;
};

const { readOptions, USAGE } = await load("options");
let options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
const { main } = await load("main");
try {
  const isHonoured = await main(options, (line) => console.log(line));
  process.exit(isHonoured ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
