import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { instantiateRules } from "@sdk/rules";
import type { Rules } from "@sdk/types";
import { play as playAjua } from "../../ajua/bots/bot";
import { play as playDumaDash } from "../../duma-dash/bots/bot";
import { play as playManeno } from "../../maneno/bots/bot";
import { type Gateway, Refused } from "./gateway";
import type { Player } from "./player";
import type { Chance, Play } from "./types";

const BOTS: Record<string, Play> = { ajua: playAjua, "duma-dash": playDumaDash, maneno: playManeno };

/** A run to play. */
export interface Job {
  player: Player;
  /** Folder name of the game. */
  game: string;
  /** The game's id in the catalogue. */
  gameId: string;
  /** The level; null leaves it to the tournament. */
  level: number | null;
  tournamentId: string | null;
}

export type Result =
  | { kind: "taken"; trust: string; points: number; rank: number | null; seconds: number }
  /** The server refused an honest run for good. */
  | { kind: "refused"; reason: string }
  /** No run was started: the tournament is over, or the player has played all of the round's runs. */
  | { kind: "not started"; reason: string };

interface PlaySession {
  session: string;
  rules: { url: string; sha256: string } | null;
}

interface BegunRun {
  seed: string;
  nextSeeds: string[];
  level: number;
}

interface Score {
  points: number;
  trust: string;
  rank?: number | null;
}

// Delay in ms after the last tick, because a browser's frames and its call take some milliseconds, too.
const REACTION = 300;

/** The rules modules that sessions name, each loaded once. */
export class RulesOf {
  private readonly loaded = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(private readonly gateway: Gateway) {}

  /** Returns the rules for one run, which nothing else uses. */
  async get(url: string, sha256: string): Promise<Rules> {
    const module = this.loaded.get(sha256) ?? this.load(url, sha256);
    this.loaded.set(sha256, module);
    return instantiateRules(await module);
  }

  private async load(url: string, sha256: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.gateway.file(url);
    const found = createHash("sha256").update(bytes).digest("hex");
    if (found !== sha256) throw new Error(`${url} is ${found}, not ${sha256} as the session has it`);
    return new Uint8Array(bytes);
  }
}

/** Plays an honest run: starts a session, begins, plays, takes as long as a person would, submits. */
export async function playRun(job: Job, rulesOf: RulesOf, longest: number, chance: Chance): Promise<Result> {
  const { player, game, gameId, level, tournamentId } = job;
  const play = BOTS[game];
  if (!play) throw new Error(`There is no bot for ${game}.`);
  await player.open();
  let started: PlaySession;
  let begun: BegunRun;
  try {
    const body = { ...(level === null ? {} : { level }), ...(tournamentId === null ? {} : { tournamentId }) };
    started = (await player.call(`/games/${gameId}/sessions`, { method: "POST", body })) as PlaySession;
    const begins = { session: started.session };
    begun = (await player.callAsGuest("/runs", { method: "POST", body: begins })) as BegunRun;
  } catch (error) {
    if (error instanceof Refused) return { kind: "not started", reason: error.message };
    throw error;
  }
  const startedAt = performance.now();
  if (!started.rules) throw new Error(`${game} has no rules module`);
  const rules = await rulesOf.get(started.rules.url, started.rules.sha256);
  const { skill } = player.account;
  const form = Math.min(1, Math.max(0, skill + 0.3 * (chance() - 0.5)));
  const seed = BigInt(begun.seed);
  const nextSeeds = begun.nextSeeds.map(BigInt);
  const { session } = started;
  const reach = (seconds: number): Promise<void> =>
    sleep(Math.max(0, waitAfter(seconds, performance.now() - startedAt)));
  const wait = async (pieces: readonly string[]): Promise<void> => {
    // Each committed piece has given one seed, after the one that the run began with.
    const index = nextSeeds.length - 1;
    await reach(((index + 1) * rules.pieceSteps) / rules.ticksPerSecond);
    const body = { session, index, inputs: pieces[index] };
    const piece = await player.callAsGuest("/runs/pieces", { method: "POST", body });
    nextSeeds.push(BigInt((piece as { seed: string }).seed));
  };
  try {
    const { inputs, points, seconds } = await play({
      rules,
      seed,
      seedOf: (piece) => nextSeeds[piece - 1],
      level: begun.level,
      skill: form,
      longest,
      chance,
      wait,
    });
    await reach(seconds);
    const body = { session, inputs, points };
    const score = (await player.callAsGuest("/scores", { method: "POST", body })) as Score;
    return { kind: "taken", trust: score.trust, points: score.points, rank: score.rank ?? null, seconds };
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", reason: error.message };
    throw error;
  }
}

/** Returns the milliseconds to wait until a run of so many seconds may be submitted, `elapsed` after its start. */
export function waitAfter(seconds: number, elapsed: number): number {
  return seconds * 1000 + REACTION - elapsed;
}
