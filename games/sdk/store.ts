import type { Language } from "./types";

/**
 * The data that the games' origin stores on the phone. All games share the origin, so keys contain the slug: `playon.settings` {sound,
 * language} · `playon.game.{slug}` {best, tutorial} · `playon.ghost.{slug}` {seed, level, inputs, score} · `playon.pending` the runs that
 * wait for a reply. Storage may be missing or full: then nothing is stored.
 */
function read<T extends object>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    const value: unknown = text ? JSON.parse(text) : null;
    return value && typeof value === "object" ? { ...fallback, ...value } : fallback;
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
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

export const readGhost = (slug: string): GhostRun =>
  read(`playon.ghost.${slug}`, { seed: "", level: 0, inputs: "", score: 0 });
export const writeGhost = (slug: string, ghost: GhostRun): void => write(`playon.ghost.${slug}`, ghost);

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
