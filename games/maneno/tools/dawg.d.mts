export interface Packed {
  edges: number[];
  low: number[];
  high: number[];
  ends: number[];
  shared: number;
}
export function build(words: readonly string[]): object;
export function pack(root: object): Packed;
export function unpack(packed: Packed): string[];
