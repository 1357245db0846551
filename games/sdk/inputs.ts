/**
 * A run's inputs on the wire: base64 of pairs of LEB128 varints `(steps, input)`: the same input for so many steps.
 * A recorder keeps one growing buffer, so that recording allocates nothing from tick to tick.
 */

/** The server's limit for recorded inputs, in bytes. */
export const MAX_INPUT_BYTES = 64 * 1024;
export const MAX_STEPS = 1_000_000;

export class InputRecorder {
  private buffer = new Uint8Array(1024);
  private length = 0;
  private count = 0;
  private input = 0;

  /** `joinEqual`: equal neighbours become one pair (a game in time); a game of moves writes `(1, move)` for each. */
  constructor(private readonly joinEqual: boolean) {}

  push(input: number): void {
    if (this.count > 0 && this.joinEqual && input === this.input) {
      this.count++;
      return;
    }
    this.flush();
    this.input = input;
    this.count = 1;
  }

  /** The number of bytes so far, including the pair that is still growing. */
  get bytes(): number {
    return this.length + (this.count > 0 ? size(this.count) + size(this.input) : 0);
  }

  toBase64(): string {
    const length = this.length;
    if (this.count > 0) {
      this.writePair();
    }
    let text = "";
    for (let at = 0; at < this.length; at++) text += String.fromCharCode(this.buffer[at] ?? 0);
    this.length = length;
    return btoa(text);
  }

  private flush(): void {
    if (this.count > 0) this.writePair();
    this.count = 0;
  }

  private writePair(): void {
    if (this.length + 10 > this.buffer.length) {
      const larger = new Uint8Array(this.buffer.length * 2);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.writeVarint(this.count);
    this.writeVarint(this.input);
  }

  private writeVarint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.buffer[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }
}

/** Returns the pairs `(steps, input)` of recorded inputs. Throws on anything that the server would refuse. */
export function decodeInputs(base64: string): [steps: number, input: number][] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  if (bytes.length > MAX_INPUT_BYTES) throw new Error("The inputs are too long.");
  const pairs: [number, number][] = [];
  let at = 0;
  let total = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("The inputs end in the middle of a number.");
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new Error("A number of the inputs is too long.");
  };
  while (at < bytes.length) {
    const steps = varint();
    const input = varint();
    total += steps;
    if (total > MAX_STEPS) throw new Error("The inputs have too many steps.");
    pairs.push([steps, input]);
  }
  return pairs;
}

function size(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}
