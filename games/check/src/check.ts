import { instantiateRules, sha256 } from "@sdk/rules";
import { replay } from "@sdk/run";
import { parseSeed } from "@sdk/ticket";
import { fromHex, type Proof, type ProvenRun } from "./proof";

/** right: the replay gives the points. wrong: it does not. none: there is no run to replay. */
export type Verdict = "right" | "wrong" | "none";

export interface CheckedPlace {
  rank: number;
  points: number;
  verdict: Verdict;
}

export interface Checked {
  /** Whether the secret fits the seal. */
  sealed: boolean;
  /** Whether the places are those of different players, from the first on, in the order of their points. */
  ordered: boolean;
  places: CheckedPlace[];
}

/** Checks the result of a settled tournament. It uses nothing but the proof. */
export async function checkResult(proof: Proof): Promise<Checked> {
  const sealed = (await sha256(proof.secret)) === proof.seal;
  const isRules = proof.rules !== null && (await sha256(proof.rules)) === proof.rulesSha256;
  const places: CheckedPlace[] = [];
  for (const { rank, points, run } of proof.places) {
    const replayed = run && isRules && proof.rules ? await pointsOf(run, proof.rules, proof) : null;
    const verdict = run === null ? "none" : replayed === points ? "right" : "wrong";
    places.push({ rank, points, verdict });
  }
  return { sealed, ordered: isOrdered(proof.places), places };
}

function isOrdered(places: Proof["places"]): boolean {
  const inOrder = places.every(({ rank, points }, index) => {
    const before = places[index - 1];
    return rank === index + 1 && (before === undefined || before.points >= points);
  });
  return inOrder && new Set(places.map(({ userId }) => userId)).size === places.length;
}

/** The points of a run by the rules; null if it breaks them, or has other seeds than the sealed ones. */
async function pointsOf(
  run: ProvenRun,
  module: Uint8Array<ArrayBuffer>,
  { secret, rounds, level }: Proof,
): Promise<number | null> {
  const [seed, ...nextSeeds] = [run.seed, ...run.nextSeeds].map(parseSeed);
  if (typeof seed !== "bigint") return null;
  try {
    const rules = await instantiateRules(module);
    const isLive = rules.pieceSteps > 0;
    const areSealed = isLive
      ? await isOfPieces([seed, ...nextSeeds], run.session, secret, rounds)
      : await isOfRound(seed, secret, rounds);
    if (!areSealed) return null;
    const replayed = replay(rules, seed, level, run.inputs, (piece) => nextSeeds[piece - 1] ?? undefined);
    // A live run may end before the game is over.
    return replayed.over || isLive ? replayed.score : null;
  } catch {
    return null;
  }
}

/** Whether a seed is that of a round: the first 8 bytes of SHA-256 of the secret and the round's number. */
async function isOfRound(seed: bigint, secret: Uint8Array, rounds: number): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    const digest = await crypto.subtle.digest("SHA-256", joined(secret, round));
    if (first64(digest) === seed) return true;
  }
  return false;
}

/**
 * Whether the seeds are those of a session's pieces in a round: the first 8 bytes of HMAC-SHA256 of the session and the
 * piece's number, with the round's key, which is HMAC-SHA256 of the round's number with the secret.
 */
async function isOfPieces(
  seeds: (bigint | null)[],
  session: string,
  secret: Uint8Array<ArrayBuffer>,
  rounds: number,
): Promise<boolean> {
  const id = fromHex(session.replaceAll("-", ""));
  if (!id) return false;
  for (let round = 0; round < rounds; round++) {
    const key = new Uint8Array(await hmac(secret, joined(new Uint8Array(), round)));
    const isPiece = async (piece: number): Promise<boolean> =>
      first64(await hmac(key, joined(id, piece))) === seeds[piece];
    if (!(await isPiece(0))) continue;
    const others = await Promise.all(seeds.map((_, piece) => isPiece(piece)));
    return others.every(Boolean);
  }
  return false;
}

async function hmac(key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return crypto.subtle.sign("HMAC", imported, message);
}

/** The bytes, and a number as 4 bytes after them. */
function joined(bytes: Uint8Array, number: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes.length + 4);
  all.set(bytes);
  new DataView(all.buffer).setUint32(bytes.length, number);
  return all;
}

/** The first 8 bytes as a big-endian i64. */
function first64(bytes: ArrayBuffer): bigint {
  return new DataView(bytes).getBigInt64(0);
}
