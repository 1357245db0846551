/** The pictures of the tutorial's three gestures. */

const pits = (xs: number[], ys: number[], radius: number, fill: string): string =>
  ys.flatMap((y) => xs.map((x) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`)).join("");

const seeds = (places: [number, number, number][], radius: number): string =>
  places
    .map(
      ([x, y, kind]) =>
        `<circle cx="${x}" cy="${y}" r="${radius}" fill="${["#ffb224", "#fff1d6", "#ff6b5e"][kind]}"/>`,
    )
    .join("");

const BOARD =
  '<rect x="4" y="10" width="124" height="82" rx="30" fill="#4a210a"/><rect x="4" y="4" width="124" height="82" rx="30" fill="#d98a35"/><path d="M4 45V34A30 30 0 0 1 34 4h64a30 30 0 0 1 30 30v11Z" fill="#a65b20"/>';
const HOLES = pits([29, 66, 103], [25, 65], 14, "#45200b");
const FINGER =
  '<path d="M0-17a6 6 0 0 1 12 0V-4l9 3c5 2 7 5 6 10l-3 13H4L-6 9c-2-4 2-8 6-5Z" fill="#fff" stroke="#1b1426" stroke-width="2.6" stroke-linejoin="round"/>';
const framed = (inside: string): string =>
  `<svg viewBox="0 0 132 96" xmlns="http://www.w3.org/2000/svg">${BOARD}${HOLES}${inside}</svg>`;

export const SOW = framed(
  `${seeds(
    [
      [66, 60, 0],
      [103, 61, 1],
      [99, 69, 2],
      [103, 21, 0],
      [66, 25, 1],
    ],
    4.6,
  )}<path d="M34 56C44 38 56 40 62 50M34 52c14-26 52-26 64 0" fill="none" stroke="#fff1d6" stroke-width="3" stroke-linecap="round" stroke-dasharray="0 6.5"/><circle cx="29" cy="65" r="15" fill="none" stroke="#fff" stroke-width="3.4"/><g transform="translate(24 78) scale(.86)">${FINGER}</g>`,
);
export const HOLD = framed(
  `${seeds(
    [
      [24, 62, 0],
      [33, 66, 2],
      [27, 71, 1],
    ],
    4.6,
  )}<path d="M36 54C54 34 84 34 99 50" fill="none" stroke="#fff1d6" stroke-width="3" stroke-linecap="round" stroke-dasharray="0 6.5"/><circle cx="29" cy="65" r="15" fill="none" stroke="#fff" stroke-width="3.4"/><circle cx="103" cy="65" r="15" fill="none" stroke="#3ddc97" stroke-width="3.6"/><g transform="translate(24 78) scale(.86)">${FINGER}</g>`,
);
export const CATCH = framed(
  `${seeds(
    [
      [98, 21, 0],
      [107, 20, 2],
      [103, 29, 1],
      [96, 30, 0],
      [109, 29, 1],
    ],
    4.6,
  )}<circle cx="103" cy="65" r="4.6" fill="#ffb224"/><circle cx="103" cy="25" r="15" fill="none" stroke="#ff6b5e" stroke-width="3.4" stroke-dasharray="5 5"/><circle cx="103" cy="65" r="15" fill="none" stroke="#3ddc97" stroke-width="3.6"/><g transform="rotate(5 58 45)"><rect x="34" y="36" width="44" height="26" rx="9" fill="#d9c69c"/><rect x="34" y="33" width="44" height="26" rx="9" fill="#fff6e4"/><text x="56" y="52" text-anchor="middle" font-family="Outfit Variable,Outfit,system-ui" font-weight="800" font-size="18" fill="#1b1426">+6</text></g>`,
);
