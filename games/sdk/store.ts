import type { Kept } from "./appFrame";
import { parseSeed } from "./ticket";
import type { Language } from "./types";

/** The browser's local storage; inside the app, what the app keeps for the game. */
let kept = (): Kept => localStorage;

/** Keeps a game's data in the app from now on. */
export function keepIn(app: Kept): void {
  kept = () => app;
}

/**
 * The data that the phone stores for a game. On the development server all games share their origin, so keys contain the slug: `playon.settings` {sound,
 * language} · `playon.game.{slug}` {best, tutorial} · `playon.ghost.{slug}` {seed, level, inputs, score} · `playon.run.{slug}.{tournament id}.{player}` a run that goes on · `playon.pending` the runs that
 * wait for a reply. Storage may be missing or full: then nothing is stored.
 */
function read<T extends object>(key: string, fallback: T): T {
  try {
    const text = kept().getItem(key);
    const value: unknown = text ? JSON.parse(text) : null;
    return value && typeof value === "object" ? { ...fallback, ...value } : fallback;
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    kept().setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full or missing: nothing is stored.
  }
}

export interface Settings {
  sound: boolean;
  language: Language | null;
}

export const readSettings = (): Settings => read("playon.settings", { sound: false, language: null });
export const writeSettings = (settings: Settings): void => write("playon.settings", settings);

export interface GameMemory {
  best: number;
  tutorial: boolean;
}

export const readGame = (slug: string): GameMemory => {
  const kept = read(`playon.game.${slug}`, { best: 0, tutorial: false });
  return { best: Number.isSafeInteger(kept.best) ? kept.best : 0, tutorial: kept.tutorial === true };
};
export const writeGame = (slug: string, memory: GameMemory): void => write(`playon.game.${slug}`, memory);

/** The player's own best run of one course, for a ghost. */
export interface GhostRun {
  seed: string;
  level: number;
  inputs: string;
  score: number;
}

const readGhost = (slug: string): GhostRun =>
  read(`playon.ghost.${slug}`, { seed: "", level: 0, inputs: "", score: 0 });

/** Returns the ghost of a course; null without a run of it. */
export function ghostOf(slug: string, { seed, level }: { seed: bigint; level: number }): GhostRun | null {
  const ghost = readGhost(slug);
  return ghost.inputs && ghost.seed === String(seed) && ghost.level === level ? ghost : null;
}

/** Keeps a run as the ghost, unless that of the same course is better. */
export function keepGhost(slug: string, run: GhostRun): void {
  const ghost = readGhost(slug);
  const isBetter = ghost.seed === run.seed && ghost.level === run.level && ghost.score >= run.score;
  if (!isBetter) write(`playon.ghost.${slug}`, run);
}

/** A ranked run that goes on where it was when it was left. */
export interface KeptRun {
  session: string;
  username: string | null;
  /** The game's id in the catalogue. */
  game: string;
  rules: string;
  sha256: string;
  /** Empty until the app has answered that the run has begun. */
  seed: string;
  /** In a live run the seeds of the following pieces. */
  nextSeeds: string[];
  level: number;
  inputs: string;
  /** Milliseconds since the epoch, by this phone's clock. */
  begunAt: number;
  /** The page that plays the run. */
  page: string;
}

/** How long a session lives; a tournament may end before. */
const SESSION_LIFETIME = 2 * 60 * 60 * 1000;
const runKey = (slug: string, tournamentId: string | null, username: string | null): string =>
  `playon.run.${slug}.${tournamentId ?? ""}.${username ?? ""}`;

/** Returns the player's run of this game, or of this tournament, that can go on. */
export function readKeptRun(
  slug: string,
  tournamentId: string | null,
  username: string | null,
  now = Date.now(),
): KeptRun | null {
  const run = read<Partial<KeptRun>>(runKey(slug, tournamentId, username), { nextSeeds: [] });
  const { session, game, rules, sha256, seed, nextSeeds, level, inputs, begunAt, page } = run;
  const isWhole =
    [session, game, rules, sha256, inputs, page].every((text) => typeof text === "string") &&
    typeof seed === "string" &&
    (seed === "" || parseSeed(seed) !== null) &&
    Array.isArray(nextSeeds) &&
    nextSeeds.every((text) => parseSeed(text) !== null) &&
    typeof level === "number" &&
    typeof begunAt === "number";
  if (!isWhole) return null;
  return now >= begunAt && now < begunAt + SESSION_LIFETIME ? (run as KeptRun) : null;
}

export const keepRun = (slug: string, tournamentId: string | null, run: KeptRun): void =>
  write(runKey(slug, tournamentId, run.username), run);

export function forgetRun(slug: string, tournamentId: string | null, username: string | null): void {
  try {
    kept().removeItem(runKey(slug, tournamentId, username));
  } catch {
    // Without storage no run is kept.
  }
}

/** A run that was played for a session and has no reply yet. */
export interface PendingRun {
  session: string;
  inputs: string;
  points: number;
  slug: string;
  /** Milliseconds since the epoch. */
  playedAt: number;
}

const PENDING = "playon.pending";
/** Maximum stored runs; the oldest is dropped. Sessions live for minutes or hours, not for weeks. */
const MAX_PENDING = 10;

export function readPending(): PendingRun[] {
  const { runs } = read<{ runs: PendingRun[] }>(PENDING, { runs: [] });
  return Array.isArray(runs)
    ? runs.filter((run) => typeof run?.session === "string" && typeof run.inputs === "string")
    : [];
}

export function addPending(run: PendingRun): void {
  const others = readPending().filter((other) => other.session !== run.session);
  write(PENDING, { runs: [...others, run].slice(-MAX_PENDING) });
}

export function removePending(session: string): void {
  write(PENDING, { runs: readPending().filter((run) => run.session !== session) });
}
