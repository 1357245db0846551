import { h, icon } from "@sdk/dom";
import type { Language } from "@sdk/types";
import { say } from "../texts";
import { chip, type FoundWord } from "./panel";
import type { State } from "./state";

/** The card below the score: the longest missed word, as tiles, and all words found. */
export function resultCard(language: Language, state: State, found: FoundWord[]): HTMLElement {
  const missed = state.missed.text;
  const best = [...found].sort((a, b) => b.text.length - a.text.length || b.points - a.points);
  const longest = best[0];
  const tiles = h(
    "p",
    { class: "tiles", "aria-label": missed },
    ...[...missed].map((letter) => h("i", { "aria-hidden": "true" }, letter)),
  );
  return h(
    "section",
    { class: "words-card" },
    missed ? h("h2", {}, say(language, "missed")) : h("h2", {}, say(language, "allFound")),
    missed && tiles,
    state.hiddenFound && h("p", { class: "star" }, icon("star", true), say(language, "hiddenFound")),
    h(
      "p",
      { class: "facts-line" },
      h("b", {}, say(language, "of", { n: state.found, all: state.words })),
      longest ? h("span", {}, say(language, "longest", { word: longest.text })) : null,
    ),
    best.length > 0 &&
      h("ul", { class: "chips", tabindex: 0, "aria-label": say(language, "found") }, ...best.map(chip)),
    h("p", { class: "sources" }, say(language, "sources")),
  );
}
