import type { TextKey } from "./texts";

/** One of the computer's three faces, by its strength. */
export interface Opponent {
  /** The animal's Swahili name, the same in every language: tortoise, hyena, hare. */
  name: string;
  /** How the opponent plays. */
  manner: TextKey;
  /** SVG markup. */
  face: string;
}

const framed = (inside: string): string => `<svg viewBox="-68 -72 136 136">${inside}</svg>`;

const KOBE = framed(
  '<path d="M-62 40C-62-30-40-64 0-64S62-30 62 40C40 56-40 56-62 40Z" fill="#a65b20"/><path d="M-30-48 0-62 30-48 24-22H-24ZM-36-44-30-20-58 4C-56-18-48-34-36-44ZM36-44 30-20 58 4C56-18 48-34 36-44Z" fill="#e0a050"/><path d="M0-22C30-22 46-6 46 18S30 58 0 58-46 42-46 18-30-22 0-22Z" fill="#c3e07a"/><g fill="#1b1426"><ellipse cx="-22" cy="8" rx="9.5" ry="11.5"/><ellipse cx="22" cy="8" rx="9.5" ry="11.5"/></g><g fill="#fff"><circle cx="-18.5" cy="6" r="3.6"/><circle cx="25.5" cy="6" r="3.6"/></g><path d="M-36 4C-34-12-10-12-9 4ZM9 4C10-12 34-12 36 4Z" fill="#8fb84b"/><path d="M-20 32C-12 43 12 43 20 32" fill="none" stroke="#1b1426" stroke-width="4.5" stroke-linecap="round"/><g fill="#6f9433"><circle cx="-4.5" cy="21" r="2.2"/><circle cx="4.5" cy="21" r="2.2"/></g>',
);
const FISI = framed(
  '<g fill="#c79a63"><circle cx="-43" cy="-40" r="23"/><circle cx="43" cy="-40" r="23"/></g><g fill="#4a2f22"><circle cx="-43" cy="-40" r="13"/><circle cx="43" cy="-40" r="13"/></g><path d="M0-58C38-58 58-36 58-6 58 30 34 56 0 56S-58 30-58-6C-58-36-38-58 0-58Z" fill="#d9b27a"/><path d="M-12-70-4-58 0-72 4-58 12-70 16-46H-16Z" fill="#4a2f22"/><g fill="#8a6237"><circle cx="-40" cy="-28" r="6"/><circle cx="40" cy="-28" r="6"/><circle cx="-47" cy="-8" r="4.5"/><circle cx="47" cy="-8" r="4.5"/><circle cx="-25" cy="-41" r="4.5"/><circle cx="25" cy="-41" r="4.5"/></g><path d="M0-2C24-2 42 10 42 28S22 58 0 58-42 46-42 28-24-2 0-2Z" fill="#5b3a2a"/><g fill="#1b1426"><ellipse cx="-24" cy="-12" rx="10" ry="12"/><ellipse cx="24" cy="-12" rx="10" ry="12"/></g><g fill="#fff"><circle cx="-20.5" cy="-16" r="3.8"/><circle cx="27.5" cy="-16" r="3.8"/></g><path d="M-12 6C-12 1 12 1 12 6S5 17 0 17-12 11-12 6Z" fill="#1b1426"/><path d="M-30 25C-14 32 14 32 30 25 26 48-26 48-30 25Z" fill="#ff6b5e"/><path d="M-28 26-22 36-15 29-8 38 0 30 8 38 15 29 22 36 28 26C14 32-14 32-28 26Z" fill="#fff1d6"/>',
);
const SUNGURA = framed(
  '<g fill="#d6cbd9"><ellipse cx="-24" cy="-38" rx="15" ry="35" transform="rotate(-8 -24 -38)"/><ellipse cx="24" cy="-38" rx="15" ry="35" transform="rotate(8 24 -38)"/></g><g fill="#ff8f84"><ellipse cx="-24" cy="-38" rx="7" ry="25" transform="rotate(-8 -24 -38)"/><ellipse cx="24" cy="-38" rx="7" ry="25" transform="rotate(8 24 -38)"/></g><path d="M0-22C34-22 54-2 54 22S32 60 0 60-54 46-54 22-34-22 0-22Z" fill="#d6cbd9"/><ellipse cy="40" rx="30" ry="18" fill="#fff"/><g fill="#1b1426"><ellipse cx="-24" cy="12" rx="9.5" ry="11.5"/><ellipse cx="24" cy="12" rx="9.5" ry="11.5"/></g><g fill="#fff"><circle cx="-20.5" cy="8" r="3.8"/><circle cx="27.5" cy="8" r="3.8"/></g><path d="M-36-2-14 0M13-7C20-13 30-13 36-7" fill="none" stroke="#6d5f7a" stroke-width="5" stroke-linecap="round"/><path d="M-7 27C-7 23 7 23 7 27S3 34 0 34-7 31-7 27Z" fill="#ff6b5e"/><path d="M-16 38C-10 45-2 44 0 36 2 44 12 44 18 35" fill="none" stroke="#1b1426" stroke-width="4" stroke-linecap="round"/><path d="M-6 44H6V54H-6Z" fill="#fff1d6" stroke="#1b1426" stroke-width="2"/>',
);

const OPPONENTS: readonly Opponent[] = [
  { name: "Kobe", manner: "calm", face: KOBE },
  { name: "Fisi", manner: "greedy", face: FISI },
  { name: "Sungura", manner: "clever", face: SUNGURA },
];

/** Returns the opponent of a strength from 1 to 3, or none for 0: not chosen yet. */
export function opponentOf(strength: number): Opponent | undefined {
  return OPPONENTS[strength - 1];
}
