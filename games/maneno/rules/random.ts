// The run's only source of chance: xorshift32, fed from the seed.
let word: u32 = 1;

export function seedRandom(seed: i64, level: i32): void {
  // Mixed (splitmix64), so that seeds that differ in one bit give entirely different grids.
  let z = <u64>seed + <u64>(level + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  word = <u32>(z ^ (z >> 31)) | 1;
}

/** A number from 0 to `below`, less one. */
export function random(below: i32): i32 {
  word ^= word << 13;
  word ^= word >> 17;
  word ^= word << 5;
  return <i32>(word % <u32>below);
}
