/** The catalogues by name. Each `locales/en.ts` adds its own, so that `t` knows every key and its {names}. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the catalogues
export interface Catalogues {}

type Name = keyof Catalogues;
export type Key = { [N in Name]: keyof Catalogues[N] }[Name] & string;
type TextOf<K extends Key> = { [N in Name]: K extends keyof Catalogues[N] ? Catalogues[N][K] : never }[Name];

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Arguments<K extends Key> = [Names<TextOf<K>>] extends [never]
  ? []
  : [values: Readonly<Record<Names<TextOf<K>>, string | number>>];

let texts: Readonly<Record<string, string>> = {};

/** Adds the texts of a catalogue, for everything rendered afterwards. */
export function addTexts(added: Readonly<Record<string, string>>): void {
  texts = { ...texts, ...added };
}

/** The text of a key with its {names} filled in. The compiler checks that every name is given. */
export function t<K extends Key>(key: K, ...[values]: Arguments<K>): string {
  const text = texts[key] ?? key;
  if (!values) return text;
  const given: Readonly<Record<string, string | number>> = values;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(given[name] ?? whole));
}
