import { Accounts } from "./accounts";
import { below, chanceOf } from "./chance";
import { Gateway } from "./gateway";
import { limit } from "./limit";
import { usernames } from "./names";
import { GAMES, type Options } from "./options";
import { Player } from "./player";
import { type Job, playRun, RulesOf } from "./run";
import { Tally } from "./tally";
import { contentId, ongoing, type Tournament } from "./tournaments";
import type { Chance } from "./types";

const CALLS = 4;
const SIGN_UPS = 2;
const PROGRESS_EVERY = 15_000;

interface CatalogueGame {
  id: string;
  levels: number;
}

/** Plays what the options ask for. Returns whether every honest run was proven. */
export async function main(options: Options, say: (line: string) => void): Promise<boolean> {
  const began = performance.now();
  const chance = chanceOf(options.seed);
  const gateway = new Gateway(options.url, CALLS);
  const accounts = new Accounts(options.accounts);
  const stop = (): never => {
    accounts.close();
    process.exit(1);
  };
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const context = { gateway, accounts, signUps: limit(SIGN_UPS), names: usernames(chance) };
  const players = new Map<number, Player>();
  const player = (index: number): Player => {
    const known = players.get(index);
    if (known) return known;
    const account = accounts.take(index + 1, chance)[index];
    if (!account) throw new Error("There is no such account.");
    const made = new Player(account, context);
    players.set(index, made);
    return made;
  };
  const tally = new Tally();
  const jobs = await plan(options, gateway, player, chance);
  if (jobs.length === 0) say("nothing to play");
  const rulesOf = new RulesOf(gateway);
  let next = 0;
  const progress = setInterval(
    () =>
      say(`${tally.taken} of ${jobs.length} runs after ${((performance.now() - began) / 1000).toFixed(0)} s`),
    PROGRESS_EVERY,
  );
  const work = async (): Promise<void> => {
    for (let job = jobs[next++]; job; job = jobs[next++]) {
      try {
        const result = await playRun(job, rulesOf, options.longest, chance);
        tally.add(job, result);
        const { account } = job.player;
        if (result.kind === "taken" && job.tournamentId && !account.played.includes(job.tournamentId)) {
          account.played.push(job.tournamentId);
          accounts.touch();
        }
      } catch (error) {
        tally.fail(job, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, jobs.length) }, work));
  clearInterval(progress);
  accounts.close();
  for (const line of tally.lines((performance.now() - began) / 1000, gateway.again)) say(line);
  return tally.isHonoured;
}

async function plan(
  options: Options,
  gateway: Gateway,
  player: (index: number) => Player,
  chance: Chance,
): Promise<Job[]> {
  const catalogue = (await gateway.call("/games/list")) as CatalogueGame[];
  const levels = new Map(catalogue.map((game) => [game.id, game.levels]));
  const idOf = new Map(GAMES.map((game) => [contentId("Game", game), game]));
  const inTournaments = options.fill > 0 || options.tournaments;
  if (!inTournaments) {
    return Array.from({ length: options.runs }, (_, index): Job => {
      const game = options.games[index % options.games.length] ?? "";
      const gameId = contentId("Game", game);
      const count = levels.get(gameId);
      if (count === undefined) throw new Error(`The catalogue has no ${game}.`);
      const level = below(count, chance);
      return { player: player(index % options.players), game, gameId, level, tournamentId: null };
    });
  }
  const list = (await gateway.call("/tournaments")) as Tournament[];
  const playable = ongoing(list, options.tournaments, Date.now()).flatMap((tournament) => {
    const game = idOf.get(tournament.gameId);
    return game && options.games.includes(game) ? [{ tournament, game }] : [];
  });
  const job = (index: number, { tournament, game }: { tournament: Tournament; game: string }): Job => ({
    player: player(index),
    game,
    gameId: tournament.gameId,
    level: null,
    tournamentId: tournament.id,
  });
  if (options.fill === 0) {
    if (playable.length === 0) throw new Error("None of these tournaments is on, in a game of the bots.");
    return Array.from({ length: options.runs }, (_, index) => {
      const at = Math.floor(index / options.players) % playable.length;
      return job(index % options.players, playable[at] as (typeof playable)[number]);
    });
  }
  return playable.flatMap((entry) => {
    const missing = Math.max(0, options.fill - entry.tournament.players);
    const indices = Array.from({ length: options.fill }, (_, index) => index);
    const fresh = indices.filter((index) => !player(index).account.played.includes(entry.tournament.id));
    return fresh.slice(0, missing).map((index) => job(index, entry));
  });
}
