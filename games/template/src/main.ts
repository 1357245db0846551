import "./ngoma.css";
import { startGame } from "@sdk/shell";
import type { Game } from "@sdk/types";
import { tagline, tap, waitForIt } from "../texts";
import { NgomaView } from "./view";

const ring = (radius: number): string =>
  `<svg viewBox="0 0 132 96"><rect width="132" height="96" fill="#7b4de0"/><circle cx="66" cy="48" r="22" fill="#ffb224"/><circle cx="66" cy="48" r="${radius}" fill="none" stroke="#fff" stroke-width="5"/></svg>`;

const game: Game = {
  slug: "template",
  title: "Ngoma",
  tagline,
  // The game's own world: a hue, a deep and an edge tone, a glow, and a texture (a CSS image).
  world: { hue: "#7b4de0", deep: "#3a2691", edge: "#281669", glow: "#d9c6ff", texture: "none" },
  gestures: [
    { picture: ring(40), text: waitForIt },
    { picture: ring(22), text: tap },
  ],
  keys: [["Space", tap]],
  createView: (host) => new NgomaView(host),
};

void startGame(game);
