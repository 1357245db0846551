/** The three pictures of the tutorial, 132 by 96 each: a runner, an obstacle, and the way. */
const frame = (inner: string): string =>
  `<svg viewBox="0 0 132 96" aria-hidden="true"><rect width="132" height="96" fill="#F2604F"/><circle cx="92" cy="52" r="30" fill="#FFC98A"/><path d="M0 74h132v22H0z" fill="#4D1040"/>${inner}</svg>`;

const runner = (x: number, y: number, turn: number, flat = 1): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(.9 ${0.9 * flat})"><path d="M-20 2c-10-2-8-14-16-14" fill="none" stroke="#FFB224" stroke-width="6" stroke-linecap="round"/><path d="M-14 6-26 15M-8 8l-8 9M12 6l14 8M6 8l12 9" stroke="#FFB224" stroke-width="7" stroke-linecap="round"/><rect x="-22" y="-8" width="42" height="19" rx="9.500" fill="#FFB224"/><circle cx="20" cy="-12" r="14" fill="#FFB224"/><circle cx="10" cy="-23" r="5" fill="#FFB224"/><circle cx="30" cy="-23" r="5" fill="#FFB224"/><path d="M6-3c4 5 12 6 18 4" stroke="#FF6B5E" stroke-width="5" stroke-linecap="round" fill="none"/><circle cx="17" cy="-14" r="2.600" fill="#1B1426"/><circle cx="27" cy="-14" r="2.600" fill="#1B1426"/><path d="M19-7q4 4 8 0" stroke="#1B1426" stroke-width="2" fill="none" stroke-linecap="round"/><g fill="#1B1426"><circle cx="-12" cy="-1" r="2"/><circle cx="-4" cy="3" r="2"/><circle cx="-15" cy="5" r="1.600"/></g></g>`;

const mound = (x: number, high: number): string =>
  `<path d="M${x - 15} 76C${x - 9} ${76 - high * 0.5} ${x - 9} ${76 - high} ${x - 2} ${76 - high}S${x + 10} ${76 - high * 0.6} ${x + 15} 76Z" fill="#C8612F"/>`;

const way = (path: string): string =>
  `<path d="${path}" fill="none" stroke="#fff" stroke-width="3.500" stroke-linecap="round" stroke-dasharray=".1 8"/>`;

const tap = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y})"><circle r="9" fill="none" stroke="#fff" stroke-width="3"/><circle r="4" fill="#fff"/></g>`;

export const jumpPicture = frame(
  `${mound(70, 22)}${way("M20 66C38 6 98 6 118 66")}${runner(66, 38, -8)}${tap(20, 84)}`,
);
export const doubleJumpPicture = frame(
  `${mound(76, 30)}${way("M14 66C22 42 32 40 42 44 54 4 100 6 120 66")}${runner(70, 36, -10)}${tap(16, 84)}${tap(42, 84)}`,
);
export const slidePicture = frame(
  `<path d="M62 0v30M80 0v26" stroke="#3E6B34" stroke-width="4"/><path d="M62 26c8 6 12 12 11 18-2 8-20 8-22 0-1-6 3-12 11-18Z" fill="#E3B04B"/><path d="M82 22c8 6 12 12 11 18-2 8-20 8-22 0-1-6 3-12 11-18Z" fill="#D39A35"/>${runner(70, 66, 0, 0.66)}<path d="M20 78v12m-6-6 6 6 6-6" fill="none" stroke="#fff" stroke-width="3.500" stroke-linecap="round" stroke-linejoin="round"/>`,
);
