import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Lists the folders that are games: those with rules. `GAMES=duma-dash,ajua` limits a command to some of them. */
export function listGames() {
  const wanted = process.env.GAMES?.split(",");
  return readdirSync(ROOT)
    .filter((slug) => existsSync(`${ROOT}${slug}/rules/index.ts`))
    .filter((slug) => !wanted || wanted.includes(slug));
}

/** Lists the folders that have a page: the games, and `check`, which has no rules of its own. */
export function listPages() {
  const others = process.env.GAMES ? [] : ["check"];
  return [...listGames(), ...others].filter((slug) => existsSync(`${ROOT}${slug}/index.html`));
}

/** Whether a page is that of a game. */
export function isGame(slug) {
  return existsSync(`${ROOT}${slug}/rules/index.ts`);
}

/** Returns where the compiled rules of a game lie before the build copies them. */
export function rulesPath(slug) {
  return `${ROOT}.rules/${slug}.wasm`;
}
