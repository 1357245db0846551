type Sound = readonly (number | undefined)[];

/** zzfx parameters: volume, randomness, frequency, attack, sustain, release, shape, shape curve, slide. */
export const SOUNDS = {
  lift: [0.5, 0, 180, 0.01, 0.02, 0.08, 1, 1.6, 6] as Sound,
  /** A seed on wood; a run of them climbs a scale of five tones. */
  fall: (index: number, pit: number): Sound => {
    const tone = [0, 2, 4, 7, 9][index % 5] ?? 0;
    const octave = Math.min(2, Math.floor(index / 5));
    const base = pit < 8 ? 262 : 220;
    return [0.7, 0, base * 2 ** (tone / 12 + octave), 0, 0.01, 0.07, 1, 2.4];
  },
  caught: (count: number): Sound => [
    1,
    0,
    392 + Math.min(12, count) * 22,
    0.01,
    0.09,
    0.3,
    1,
    1.7,
    0,
    0,
    196,
    0.06,
  ],
  lost: [0.8, 0, 196, 0.01, 0.08, 0.24, 2, 1.4, -3] as Sound,
  won: [1.2, 0, 523, 0.02, 0.22, 0.45, 1, 1.6, 0, 0, 262, 0.09, 0.09] as Sound,
};
