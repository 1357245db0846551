/** A run that the rules replay. */
export interface ProvenRun {
  /** The play session, a UUID. */
  session: string;
  /** An i64 in decimal digits: the seed of the run, of its first piece in a live run. */
  seed: string;
  /** The seeds of the other pieces of a live run. */
  nextSeeds: string[];
  /** The inputs in base64, for `decodeInputs`. */
  inputs: string;
}

/** The proof of a settled tournament's result, as `GET /tournaments/{id}/proof` has it. */
export interface Proof {
  /** SHA-256 of the secret, in hexadecimal digits. */
  seal: string;
  secret: Uint8Array<ArrayBuffer>;
  rounds: number;
  level: number;
  rulesSha256: string | null;
  /** The rules module; null where no place has a run. */
  rules: Uint8Array<ArrayBuffer> | null;
  places: { rank: number; userId: string; points: number; run: ProvenRun | null }[];
}

/** The most rounds that a tournament has. */
const MAX_ROUNDS = 1_000;

/** Reads a proof, alone or in the app's reply. Returns "open" before the board is final, and null for anything else. */
export function readProof(reply: unknown): Proof | "open" | null {
  const proof = payloadOf(reply);
  if (!isObject(proof) || typeof proof.seal !== "string") return null;
  if (proof.settled === false) return "open";
  const { seal, secret, rounds, level, rulesSha256, rules, places } = proof;
  const isValid =
    typeof secret === "string" &&
    isCount(rounds) &&
    rounds <= MAX_ROUNDS &&
    isCount(level) &&
    (rules === null || (typeof rules === "string" && typeof rulesSha256 === "string")) &&
    Array.isArray(places);
  if (!isValid) return null;
  const read = places.map(readPlace);
  const secretBytes = fromHex(secret);
  const rulesBytes = typeof rules === "string" ? fromBase64(rules) : null;
  if (!secretBytes || (typeof rules === "string" && !rulesBytes)) return null;
  if (!read.every((place) => place !== null)) return null;
  return {
    seal,
    secret: secretBytes,
    rounds,
    level,
    rulesSha256: typeof rulesSha256 === "string" ? rulesSha256 : null,
    rules: rulesBytes,
    places: read,
  };
}

function readPlace(value: unknown): Proof["places"][number] | null {
  if (!isObject(value) || !isCount(value.rank) || typeof value.points !== "number") return null;
  const { rank, userId, points, run } = value;
  if (typeof userId !== "string") return null;
  if (run === null) return { rank, userId, points, run: null };
  if (!isObject(run)) return null;
  // Proofs that were kept before there were live runs have no session and no further seeds.
  const { session = "", seed, nextSeeds = [], inputs } = run;
  if (typeof session !== "string" || typeof seed !== "string" || typeof inputs !== "string") return null;
  if (!Array.isArray(nextSeeds) || !nextSeeds.every((text) => typeof text === "string")) return null;
  return { rank, userId, points, run: { session, seed, nextSeeds, inputs } };
}

function payloadOf(reply: unknown): unknown {
  return isObject(reply) && "payload" in reply ? reply.payload : reply;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
