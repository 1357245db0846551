import type { World } from "./types";

const texture = (width: number, height: number, shapes: string): string =>
  `url("data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}' fill='#fff'>${shapes}</svg>`,
  )}")`;

/** The worlds of the app (frontend/src/ui/worlds.css), so that a game looks like its card. */
export const ajua: World = {
  hue: "#1a9c86",
  deep: "#0c474a",
  edge: "#072f33",
  glow: "#93ecd2",
  texture: texture(
    56,
    56,
    "<circle cx='14' cy='14' r='9'/><circle cx='42' cy='42' r='9'/><circle cx='42' cy='14' r='3'/><circle cx='14' cy='42' r='3'/>",
  ),
};

export const maneno: World = {
  hue: "#5084f5",
  deep: "#3a2691",
  edge: "#281669",
  glow: "#c3d6ff",
  texture: texture(
    56,
    56,
    "<rect x='5' y='5' width='20' height='20' rx='5'/><rect x='33' y='33' width='20' height='20' rx='5'/><rect x='40' y='12' width='6' height='6' rx='2'/><rect x='12' y='40' width='6' height='6' rx='2'/>",
  ),
};

export const dash: World = {
  hue: "#f2604f",
  deep: "#861f58",
  edge: "#4d1040",
  glow: "#ffd0b8",
  texture: texture(
    64,
    56,
    "<path d='M8 12c6-6 14-4 14 2s-10 8-14 4 0-6 0-6ZM40 8c5-3 12 1 10 6s-10 5-13 1 3-7 3-7ZM28 36c6-4 13-1 12 5s-10 7-14 3 2-8 2-8ZM58 34c4-2 6 2 4 5s-7 3-8 0 4-5 4-5ZM6 42c4-2 8 1 6 5s-8 4-9 0 3-5 3-5Z'/>",
  ),
};
