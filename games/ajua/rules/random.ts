/** xorshift32: enough for openings and for choosing among equal moves. */
export class Random {
  private state: u32 = 1;

  seed(seed: i64): void {
    // Mixes all 64 bits, so that seeds that differ in one bit give different openings.
    let mixed = <u64>seed;
    mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccd;
    mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53;
    this.state = <u32>(mixed ^ (mixed >> 33)) | 1;
  }

  below(limit: i32): i32 {
    this.state ^= this.state << 13;
    this.state ^= this.state >> 17;
    this.state ^= this.state << 5;
    return <i32>((this.state >> 4) % <u32>limit);
  }
}
