import type { app } from "@/locales/en.app";
import { first } from "@/locales/en.first";

type Strings = typeof first & typeof app;
export type Key = keyof Strings;

/** Every string of the app by its key. Another language is another object of this type, in the same two files. */
export type Catalogue = Readonly<Record<Key, string>>;

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Arguments<K extends Key> = [Names<Strings[K]>] extends [never]
  ? []
  : [values: Readonly<Record<Names<Strings[K]>, string | number>>];

let catalogue: Partial<Catalogue> = first;

/** Adds strings to the catalogue, or replaces them with those of another language, for everything rendered afterwards. */
export function addStrings(strings: Partial<Catalogue>, locale: string): void {
  catalogue = { ...catalogue, ...strings };
  document.documentElement.lang = locale;
}

/** The string of a key with its {names} filled in. The compiler checks that every name is given. */
export function t<K extends Key>(key: K, ...[values]: Arguments<K>): string {
  const text = catalogue[key] ?? key;
  if (!values) return text;
  const given: Readonly<Record<string, string | number>> = values;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(given[name] ?? whole));
}
