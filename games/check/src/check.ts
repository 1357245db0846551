import { instantiateRules, sha256 } from "@sdk/rules";
import { replay } from "@sdk/run";
import { parseSeed } from "@sdk/ticket";
import type { Proof, ProvenRun } from "./proof";

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
  const seeds = await seedsOf(proof);
  const places: CheckedPlace[] = [];
  for (const { rank, points, run } of proof.places) {
    const replayed =
      run && isRules && proof.rules ? await pointsOf(run, proof.rules, proof.level, seeds) : null;
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

/** The seeds of all rounds: the first 8 bytes of SHA-256 of the secret and the round's number. */
async function seedsOf({ secret, rounds }: Proof): Promise<Set<bigint>> {
  const seeds = new Set<bigint>();
  for (let round = 0; round < rounds; round++) {
    const bytes = new Uint8Array(secret.length + 4);
    bytes.set(secret);
    new DataView(bytes.buffer).setUint32(secret.length, round);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    seeds.add(new DataView(digest).getBigInt64(0));
  }
  return seeds;
}

/** The points of a run by the rules; null if it breaks them, or has a seed of no round. */
async function pointsOf(
  { seed, inputs }: ProvenRun,
  rules: Uint8Array<ArrayBuffer>,
  level: number,
  seeds: Set<bigint>,
): Promise<number | null> {
  const parsed = parseSeed(seed);
  if (parsed === null || !seeds.has(parsed)) return null;
  try {
    const run = replay(await instantiateRules(rules), parsed, level, inputs);
    return run.over ? run.score : null;
  } catch {
    return null;
  }
}
