// zzfx parameters: volume, randomness, frequency, attack, sustain, release, shape, curve, slide, delta slide, pitch jump, its time, …

// A pentatonic ladder: each further letter sounds higher, and every word a small tune.
const LADDER = [262, 294, 330, 392, 440, 524, 588, 660, 784, 880, 1047, 1175];

export function letterSound(length: number): number[] {
  return [0.45, 0, LADDER[Math.min(length, LADDER.length) - 1] ?? 262, 0, 0.015, 0.07, 0, 1.4];
}

export function acceptedSound(length: number, chain: number): number[] {
  const note = LADDER[Math.min(length + chain, LADDER.length) - 1] ?? 524;
  return [0.7, 0, note, 0.005, 0.06, 0.22, 1, 1.7, 0, 0, note / 2, 0.07];
}

export const hiddenSound = [0.9, 0, 524, 0.01, 0.22, 0.4, 1, 1.5, 0, 0, 262, 0.07, 0.07];
export const refusedSound = [0.5, 0, 150, 0.005, 0.04, 0.12, 2, 1.2, -2];
export const repeatedSound = [0.4, 0, 300, 0.005, 0.03, 0.08, 0, 1.2];
export const tickSound = [0.35, 0, 880, 0, 0.008, 0.03, 0, 1];
export const endSound = [0.8, 0, 392, 0.01, 0.2, 0.5, 1, 1.4, 0, 0, -98, 0.16];
