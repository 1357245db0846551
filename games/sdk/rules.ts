import type { Rules } from "./types";

/** The versions of the ABI that this SDK knows: without pieces, and with them. */
const ABI = 1;
const ABI_OF_PIECES = 2;

/** Instantiates a rules module. It gets no imports: its results depend on seed, level and inputs alone. */
export async function instantiateRules(bytes: BufferSource): Promise<Rules> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const call = (name: string): ((...args: (number | bigint)[]) => number) => {
    const exported = instance.exports[name];
    if (typeof exported !== "function") throw new Error(`The rules do not export ${name}.`);
    return exported as (...args: (number | bigint)[]) => number;
  };
  const abi = call("abi")();
  if (abi !== ABI && abi !== ABI_OF_PIECES) throw new Error("The rules have another ABI.");
  const hasPieces = abi === ABI_OF_PIECES;
  const tellsAnswers = "answered_kind" in instance.exports;
  const memory = instance.exports.memory;
  if (!(memory instanceof WebAssembly.Memory)) throw new Error("The rules do not export their memory.");
  return {
    ticksPerSecond: call("ticks_per_second")(),
    inputs: call("inputs")(),
    pieceSteps: hasPieces ? call("piece_steps")() : 0,
    memory,
    init: call("init"),
    feed: hasPieces ? call("feed") : () => {},
    step: call("step") as (input: number) => number,
    score: call("score") as () => number,
    state: call("state") as () => number,
    answeredKind: tellsAnswers ? call("answered_kind") : () => 0,
    answeredTicks: tellsAnswers ? call("answered_ticks") : () => 0,
  };
}

/** The digest as lower-case hex digits. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fetches the rules and checks that they match the session's digest (practice has none). */
export async function loadRules(url: string, expectedSha256?: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The rules did not load: ${response.status}.`);
  const bytes = await response.arrayBuffer();
  if (expectedSha256 && (await sha256(bytes)) !== expectedSha256)
    throw new Error("The rules are not the ones of this session.");
  return bytes;
}
