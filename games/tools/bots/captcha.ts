import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(pbkdf2);

/** A challenge of ALTCHA: proof of work. */
export interface Challenge {
  parameters: {
    algorithm: string;
    nonce: string;
    salt: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
  };
  signature?: string;
}

const ALGORITHM = "PBKDF2/SHA-256";

/** Counts up until the derived key begins as the challenge asks, and encodes the solution as the app's widget does. */
export async function solveCaptcha({ parameters, signature }: Challenge): Promise<string> {
  const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = parameters;
  if (algorithm !== ALGORITHM) throw new Error(`The captcha is ${algorithm}, not ${ALGORITHM}.`);
  const prefix = Buffer.from(keyPrefix, "hex");
  const started = performance.now();
  const password = Buffer.concat([Buffer.from(nonce, "hex"), Buffer.alloc(4)]);
  for (let counter = 0; ; counter++) {
    password.writeUInt32BE(counter, password.length - 4);
    const key = await derive(password, Buffer.from(salt, "hex"), cost, keyLength, "sha256");
    if (!key.subarray(0, prefix.length).equals(prefix)) continue;
    const solution = { counter, derivedKey: key.toString("hex"), time: performance.now() - started };
    return Buffer.from(JSON.stringify({ challenge: { parameters, signature }, solution })).toString("base64");
  }
}
