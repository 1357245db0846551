// Runs bots that play honest runs through the gateway, as the app and the games' pages do. README.md describes their uses.
import { importModule } from "./vite.mjs";

const { readOptions, USAGE } = await importModule("tools/bots/options");
let options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
const { main } = await importModule("tools/bots/main");
try {
  const isHonoured = await main(options, (line) => console.log(line));
  process.exit(isHonoured ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
