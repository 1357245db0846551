// The three pictures of the tutorial, 132 by 96.

function tile(
  x: number,
  y: number,
  letter: string,
  kind: "paper" | "mango" | "mint" = "paper",
  size = 30,
): string {
  const [face, edge, ink] = {
    paper: ["#fff6e4", "#d9c69c", "#3a2377"],
    mango: ["#ffb224", "#c47a00", "#1b1426"],
    mint: ["#3ddc97", "#1c8f5f", "#07261a"],
  }[kind];
  return `<rect x="${x}" y="${y + 3}" width="${size}" height="${size}" rx="8" fill="${edge}"/><rect x="${x}" y="${y}" width="${size}" height="${size}" rx="8" fill="${face}"/><text x="${x + size / 2}" y="${y + size * 0.7}" text-anchor="middle" font-family="Outfit Variable, system-ui" font-weight="800" font-size="${size * 0.56}" fill="${ink}">${letter}</text>`;
}

const svg = (content: string): string =>
  `<svg viewBox="0 0 132 96" xmlns="http://www.w3.org/2000/svg"><rect width="132" height="96" fill="#5084f5"/>${content}</svg>`;

const finger = (x: number, y: number): string =>
  `<circle cx="${x}" cy="${y}" r="17" fill="#fff" opacity=".3"/><circle cx="${x}" cy="${y}" r="17" fill="none" stroke="#fff" stroke-width="3"/>`;

export const dragPicture = svg(
  tile(12, 12, "S", "mango") +
    tile(51, 12, "O") +
    tile(90, 12, "U") +
    tile(12, 51, "N") +
    tile(51, 51, "A", "mango") +
    tile(90, 51, "A", "mango") +
    `<path d="M27 27 66 66H105" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>` +
    finger(105, 66),
);

export const playPicture = svg(
  tile(9, 40, "S", "mint", 26) +
    tile(38, 40, "A", "mint", 26) +
    tile(67, 40, "A", "mint", 26) +
    `<g transform="rotate(5 110 48)"><rect x="98" y="40" width="30" height="24" rx="8" fill="#d9c69c"/><rect x="98" y="37" width="30" height="24" rx="8" fill="#fff6e4"/><text x="113" y="54" text-anchor="middle" font-family="Outfit Variable, system-ui" font-weight="800" font-size="15" fill="#1b1426">+3</text></g>` +
    `<path d="M52 30V14m-9 8 9-9 9 9" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>`,
);

const link = (x: number, text: string, scale: number): string =>
  `<g transform="translate(${x} 48) scale(${scale})"><rect x="-17" y="-14" width="34" height="34" rx="11" fill="#c47a00"/><rect x="-17" y="-18" width="34" height="34" rx="11" fill="#ffb224"/><text y="6" text-anchor="middle" font-family="Outfit Variable, system-ui" font-weight="800" font-size="18" fill="#1b1426">${text}</text></g>`;

export const chainPicture = svg(
  `<path d="M22 48H112" stroke="#fff" stroke-opacity=".5" stroke-width="5" stroke-dasharray="2 9" stroke-linecap="round"/>` +
    link(24, "×2", 0.8) +
    link(62, "×3", 1) +
    link(106, "×4", 1.22),
);
