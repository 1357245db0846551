import { decodeInputs } from "./inputs";

/**
 * The ticket that the app passes to a game in its URL. The session is in the fragment, which reaches no server, no log and no Referer.
 * README.md has the format.
 */
export interface Ticket {
  session: string;
  /** Path of the rules on the games' own origin. */
  rules: string;
  sha256: string;
  /** The game's id in the catalogue, for the way back and Play again. */
  game: string;
}

/** A recorded run for watching. */
export interface Recording {
  seed: bigint;
  /** The seeds of the other pieces of a live run. */
  nextSeeds: bigint[];
  level: number;
  /** The inputs in standard base64, for `decodeInputs`. */
  inputs: string;
  rules: string;
  sha256: string;
  /** The points that the server proved; null if the link has none. */
  points: number | null;
}

export interface Launch {
  ticket: Ticket | null;
  recording: Recording | null;
  username: string | null;
  tournamentId: string | null;
  /** The game's id in the catalogue if known, with or without a session. */
  game: string | null;
  language: string | null;
  /** Whether the player has no account. */
  guest: boolean;
  /** Whether to skip the title screen: the player asked for another run. */
  goes: boolean;
  /** Set when the fragment has a session or a run to watch that cannot be used: the player is told so before a practice run. */
  broken: "session" | "watch" | null;
}

const SESSION = /^[\w.~+/=-]{1,2048}$/;
const ID = /^[\w-]{1,64}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const SEED = /^-?\d{1,19}$/;
const LEVEL = /^\d{1,4}$/;
const INPUTS = /^[A-Za-z0-9_-]{1,90000}$/;
const POINTS = /^\d{1,10}$/;

export function readLaunch(href: string): Launch {
  const url = new URL(href);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const game = matching(ID, fragment.get("game") ?? url.searchParams.get("game"));
  const common = {
    username: url.searchParams.get("username")?.slice(0, 40) || null,
    tournamentId: matching(ID, fragment.get("tournament") ?? url.searchParams.get("tournamentId")),
    language: fragment.get("lang") ?? url.searchParams.get("lang"),
    guest: url.searchParams.get("guest") === "1",
    goes: fragment.has("go"),
    game,
  };
  const wantsSession = fragment.has("session");
  const wantsWatch = fragment.has("watch");
  const none = { ...common, ticket: null, recording: null };
  if (!wantsSession && !wantsWatch) return { ...none, broken: null };

  const session = matching(SESSION, fragment.get("session"));
  const rules = sameOriginPath(fragment.get("rules"), url);
  const sha256 = matching(SHA256, fragment.get("sha256"));
  if (!rules || !sha256) return { ...none, broken: wantsWatch ? "watch" : "session" };
  if (wantsWatch) {
    const seed = parseSeed(fragment.get("seed"));
    const nextSeeds = parseSeeds(fragment.get("nextSeeds"));
    const level = matching(LEVEL, fragment.get("level") ?? "0");
    const inputs = readInputs(fragment.get("inputs"));
    if (seed === null || !nextSeeds || level === null || !inputs) return { ...none, broken: "watch" };
    const points = matching(POINTS, fragment.get("points"));
    return {
      ...none,
      recording: {
        seed,
        nextSeeds,
        level: Number(level),
        rules,
        sha256,
        inputs,
        points: points === null ? null : Number(points),
      },
      broken: null,
    };
  }
  if (!session || !game) return { ...none, broken: "session" };
  return { ...none, ticket: { session, rules, sha256, game }, broken: null };
}

/** Returns the inputs of a run to watch, from base64url without padding; null if they are invalid. */
function readInputs(value: string | null): string | null {
  if (!value || !INPUTS.test(value)) return null;
  const inputs = value.replaceAll("-", "+").replaceAll("_", "/");
  try {
    return decodeInputs(inputs).length > 0 ? inputs : null;
  } catch {
    return null;
  }
}

/** The app's origin, as the game's page names it. */
export function appOrigin(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="playon-origin"]');
  return readAppOrigin(meta?.content, location.href);
}

/**
 * Reads the app's origin from `<meta name="playon-origin">`, which the gateway fills in when it serves the page. Without it (on the
 * development server) the app is on the same host at port 8080. A ticket cannot change the origin: a forged link must not send runs or
 * players elsewhere.
 */
export function readAppOrigin(content: string | null | undefined, pageUrl: string): string {
  if (content) {
    try {
      const url = new URL(content);
      if (url.protocol === "https:" || url.protocol === "http:") return url.origin;
    } catch {
      // Falls through to the development default.
    }
  }
  const page = new URL(pageUrl);
  return `${page.protocol}//${page.hostname}:8080`;
}

function matching(pattern: RegExp, value: string | null): string | null {
  return value !== null && pattern.test(value) ? value : null;
}

/** Reads the decimal text of an i64; null if it is none. */
export function parseSeed(value: string | null): bigint | null {
  if (value === null || !SEED.test(value)) return null;
  const seed = BigInt(value);
  return BigInt.asIntN(64, seed) === seed ? seed : null;
}

/** Reads the decimal texts of some i64, with commas between them; null if one is none. */
function parseSeeds(value: string | null): bigint[] | null {
  const seeds = value ? value.split(",").map(parseSeed) : [];
  return seeds.every((seed) => seed !== null) ? seeds : null;
}

/** Returns the path of the rules if it is on the games' origin; a link cannot name another. */
function sameOriginPath(value: string | null, page: URL): string | null {
  if (!value) return null;
  try {
    const url = new URL(value, page);
    return url.origin === page.origin ? url.pathname + url.search : null;
  } catch {
    return null;
  }
}
