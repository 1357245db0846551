/** The colours of the savanna from day to night, with interpolation. */
export interface Palette {
  sky: [string, string, string, string];
  sun: string;
  far: string;
  snow: string;
  mid: string;
  near: string;
  soil: string;
  soilDark: string;
  grass: string;
  stars: number;
}

interface Moment {
  second: number;
  colors: readonly string[];
  stars: number;
}

// sky ×4, sun, far, snow, mid, near, soil, soilDark, grass
const MOMENTS: readonly Moment[] = [
  {
    second: 0,
    stars: 0,
    colors: [
      "#3d9fe6",
      "#86cdf5",
      "#d8f0fa",
      "#fff0c4",
      "#ffd23f",
      "#9cc3b4",
      "#ffffff",
      "#86b36a",
      "#4f8a3d",
      "#dba04d",
      "#b97c35",
      "#6aa544",
    ],
  },
  {
    second: 26,
    stars: 0,
    colors: [
      "#5a63c8",
      "#e58a8f",
      "#ffb36b",
      "#ffe2a0",
      "#ffe9a8",
      "#c97f86",
      "#ffe9d8",
      "#a2604f",
      "#69462f",
      "#b56f3c",
      "#8c5030",
      "#8a7a34",
    ],
  },
  {
    second: 54,
    stars: 0.25,
    colors: [
      "#2a1257",
      "#8a2260",
      "#f2604f",
      "#ffc15a",
      "#ffe08a",
      "#7d2768",
      "#ffd0c0",
      "#54185a",
      "#38123f",
      "#5d2350",
      "#43163f",
      "#8a2f58",
    ],
  },
  {
    second: 88,
    stars: 1,
    colors: [
      "#080722",
      "#151444",
      "#2b2a72",
      "#5b4fa8",
      "#f6f2ff",
      "#2b2a6c",
      "#c9c6ff",
      "#1d1b4e",
      "#12102f",
      "#29234f",
      "#1a163a",
      "#3d3a86",
    ],
  },
  {
    second: 150,
    stars: 0.9,
    colors: [
      "#0a0a2a",
      "#1c1b52",
      "#41368a",
      "#8a5fb0",
      "#f6f2ff",
      "#353278",
      "#d8d4ff",
      "#262258",
      "#171438",
      "#302858",
      "#201a42",
      "#4a3f8e",
    ],
  },
  {
    second: 178,
    stars: 0,
    colors: [
      "#4a62c8",
      "#c080b8",
      "#ffb09a",
      "#ffe6b4",
      "#fff0b0",
      "#9c7fae",
      "#ffffff",
      "#7a6a8e",
      "#4d4468",
      "#a8745a",
      "#805244",
      "#7d8a50",
    ],
  },
];

export function paletteAt(second: number): Palette {
  let index = 0;
  while (index < MOMENTS.length - 2 && (MOMENTS[index + 1]?.second ?? 0) <= second) index++;
  const from = MOMENTS[index] as Moment;
  const to = MOMENTS[index + 1] as Moment;
  const part = Math.max(0, Math.min((second - from.second) / (to.second - from.second), 1));
  const color = (at: number): string => mix(from.colors[at] ?? "#000000", to.colors[at] ?? "#000000", part);
  return {
    sky: [color(0), color(1), color(2), color(3)],
    sun: color(4),
    far: color(5),
    snow: color(6),
    mid: color(7),
    near: color(8),
    soil: color(9),
    soilDark: color(10),
    grass: color(11),
    stars: from.stars + (to.stars - from.stars) * part,
  };
}

/** Returns the colour between two colours of the form `#rrggbb`. */
export function mix(from: string, to: string, part: number): string {
  const a = Number.parseInt(from.slice(1), 16);
  const b = Number.parseInt(to.slice(1), 16);
  const channel = (shift: number): number => {
    const one = (a >> shift) & 255;
    return Math.round(one + (((b >> shift) & 255) - one) * part);
  };
  return `#${((channel(16) << 16) | (channel(8) << 8) | channel(0)).toString(16).padStart(6, "0")}`;
}
