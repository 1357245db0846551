import type { World } from "./types";

type Child = Node | string | null | undefined | false;
type Props = Record<string, string | number | boolean | EventListener | null | undefined>;

/** Makes an element. `on…` props are listeners, `html` is markup of our own, the rest are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "html") element.innerHTML = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** Icons of Lucide (ISC), as paths on a 24 by 24 grid. */
const ICONS = {
  pause: '<rect x="14" y="3" width="5" height="18" rx="1"/><rect x="5" y="3" width="5" height="18" rx="1"/>',
  play: '<path d="M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z"/>',
  x: '<path d="M18 6 6 18M6 6l12 12"/>',
  again: '<path d="M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8"/><path d="M21 3v5h-5"/>',
  soundOn:
    '<path d="M11 4.7a.7.7 0 0 0-1.2-.5L6.4 7.6A1.4 1.4 0 0 1 5.4 8H3a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2.4a1.4 1.4 0 0 1 1 .4l3.4 3.4a.7.7 0 0 0 1.2-.5z"/><path d="M16 9a5 5 0 0 1 0 6M19.4 18.4a9 9 0 0 0 0-12.8"/>',
  soundOff:
    '<path d="M11 4.7a.7.7 0 0 0-1.2-.5L6.4 7.6A1.4 1.4 0 0 1 5.4 8H3a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2.4a1.4 1.4 0 0 1 1 .4l3.4 3.4a.7.7 0 0 0 1.2-.5z"/><path d="m22 9-6 6M16 9l6 6"/>',
  shield:
    '<path d="M20 13c0 5-3.5 7.5-7.7 9a1 1 0 0 1-.6 0C7.5 20.500 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.500-1.200 6.200-2.700a1.200 1.200 0 0 1 1.600 0C14.500 3.800 17 5 19 5a1 1 0 0 1 1 1z"/><path d="m9 12 2 2 4-4"/>',
  trophy:
    '<path d="M10 14.7V17c0 1-.5 1-1 1.200-1.200.6-2 2.200-2 3.800M14 14.700V17c0 1 .5 1 1 1.200 1.200.6 2 2.200 2 3.800M18 9h1.500a1 1 0 0 0 0-5H18M4 22h16M6 9a6 6 0 0 0 12 0V3a1 1 0 0 0-1-1H7a1 1 0 0 0-1 1zM6 9H4.500a1 1 0 0 1 0-5H6"/>',
  clock: '<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>',
  help: '<circle cx="12" cy="12" r="10"/><path d="M9.100 9a3 3 0 0 1 5.800 1c0 2-3 3-3 3M12 17h.010"/>',
  leave: '<path d="m16 17 5-5-5-5M21 12H9M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4"/>',
  share:
    '<circle cx="18" cy="5" r="3"/><circle cx="6" cy="12" r="3"/><circle cx="18" cy="19" r="3"/><path d="m8.6 13.500 6.800 4M15.400 6.500l-6.800 4"/>',
  star: '<path d="m12 2.500 2.900 6.200 6.600.9-4.800 4.700 1.200 6.700-5.900-3.300L6.100 21l1.200-6.700L2.500 9.600l6.600-.9z"/>',
};

export type IconName = keyof typeof ICONS;

export function icon(name: IconName, filled = false): HTMLElement {
  return h("span", {
    class: "icon",
    "aria-hidden": "true",
    html: `<svg viewBox="0 0 24 24" fill="${filled ? "currentColor" : "none"}" stroke="currentColor" stroke-width="2.250" stroke-linecap="round" stroke-linejoin="round">${ICONS[name]}</svg>`,
  });
}

export function button(
  label: Child,
  onclick: () => void,
  { kind = "quiet", icon: name, filled }: { kind?: string; icon?: IconName; filled?: boolean } = {},
): HTMLButtonElement {
  return h("button", { type: "button", class: `btn ${kind}`, onclick }, name && icon(name, filled), label);
}

export function link(
  label: Child,
  href: string,
  { kind = "quiet", icon: name }: { kind?: string; icon?: IconName } = {},
): HTMLAnchorElement {
  return h("a", { href, class: `btn ${kind}` }, name && icon(name), label);
}

export function round(label: string, name: IconName, onclick: () => void, filled = false): HTMLButtonElement {
  return h(
    "button",
    { type: "button", class: "round", "aria-label": label, title: label, onclick },
    icon(name, filled),
  );
}

/** Gives the page the colours of a game. */
export function paintWorld(world: World): void {
  const { style } = document.documentElement;
  style.setProperty("--w", world.hue);
  style.setProperty("--w-deep", world.deep);
  style.setProperty("--w-edge", world.edge);
  style.setProperty("--w-glow", world.glow);
  style.setProperty("--w-texture", world.texture);
}
