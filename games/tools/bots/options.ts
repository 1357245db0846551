import { parseArgs } from "node:util";

export interface Options {
  url: string;
  players: number;
  runs: number;
  /** Folder names of games. */
  games: string[];
  /** Names of tournaments as operators or the server have them; null for all ongoing ones. */
  tournaments: string[] | null;
  /** The number of players up to which boards of tournaments are filled; 0 for none. */
  fill: number;
  /** Players who play at the same time. */
  concurrency: number;
  seed: number;
  /** The file in which accounts are stored between two starts. */
  accounts: string | null;
  longest: number;
}

export const GAMES = ["ajua", "maneno", "duma-dash"];

export const USAGE = `node tools/bots.mjs [options]
  --url URL          the gateway (http://127.0.0.1:8080)
  --players N        accounts that play (20)
  --runs M           runs in all (60)
  --game NAME        ajua, maneno, duma-dash or all (all)
  --tournament NAME  play in it: its id, or the one of its manifest. Several with commas
  --fill K           instead of --runs: fill the boards of ongoing tournaments up to K players
  --concurrency C    players at play at the same time (100)
  --seed S           for other names and other runs (the time)
  --accounts FILE    keep the accounts here and use them again
  --longest SECONDS  of a run of Duma Dash (120)`;

/** Parses the options. @throws if an option is unknown or has an invalid value. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: text,
      players: text,
      runs: text,
      game: text,
      tournament: text,
      fill: text,
      concurrency: text,
      seed: text,
      accounts: text,
      longest: text,
      help: { type: "boolean" },
    },
  });
  const number = (name: string, given: string | undefined, otherwise: number, least = 1): number => {
    const value = given === undefined ? otherwise : Number(given);
    if (!Number.isSafeInteger(value) || value < least) throw new Error(`--${name} is a number from ${least}`);
    return value;
  };
  if (values.help) throw new Error("Bots that play honest runs.");
  const game = values.game ?? "all";
  if (game !== "all" && !GAMES.includes(game)) throw new Error(`--game is all or one of ${GAMES.join(", ")}`);
  return {
    url: values.url ?? "http://127.0.0.1:8080",
    players: number("players", values.players, 20),
    runs: number("runs", values.runs, 60),
    games: game === "all" ? GAMES : [game],
    tournaments: values.tournament?.split(",") ?? null,
    fill: number("fill", values.fill, 0, 0),
    concurrency: number("concurrency", values.concurrency, 100),
    seed: number("seed", values.seed, Date.now() % 2 ** 31, 0),
    accounts: values.accounts ?? null,
    longest: number("longest", values.longest, 120, 20),
  };
}
