/** A game's colour world: classes of `worlds.css`. */
export type World = "ajua" | "maneno" | "dash";

const names: readonly [RegExp, World][] = [
  [/ajua/i, "ajua"],
  [/maneno/i, "maneno"],
  [/duma|dash/i, "dash"],
];

/** The world of the game that a text names, if it is one of PlayOn's own. */
export function knownWorld(text: string): World | null {
  return names.find(([name]) => name.test(text))?.[1] ?? null;
}

const all: readonly World[] = ["dash", "ajua", "maneno"];

/** The world of the game that a text names; for another game one of the worlds, always the same for the same text. */
export function worldOf(text: string): World {
  const sum = [...text].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return knownWorld(text) ?? all[sum % all.length] ?? "dash";
}
