import { pluralRules, wholeNumbers } from "@/lib/i18n/intl";
import { currentLanguage, type Language, storeLanguage } from "@/lib/i18n/language";

/** The catalogues by name. Each `locales/en.ts` adds its own, so that `t` knows every key and its {names}. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the catalogues
export interface Catalogues {}
export type CatalogueName = keyof Catalogues;

/** A text with a form for each plural category of its language, chosen by {count}. */
export interface Plural<S extends string = string> {
  readonly one: string;
  readonly other: S;
}
type Texts = Readonly<Record<string, string | Plural>>;

export type Key = { [N in CatalogueName]: keyof Catalogues[N] }[CatalogueName] & string;
type EntryOf<K extends Key> = {
  [N in CatalogueName]: K extends keyof Catalogues[N] ? Catalogues[N][K] : never;
}[CatalogueName];

type NamesIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Values<E> =
  E extends Plural<infer S>
    ? { readonly count: number } & Readonly<Record<Exclude<NamesIn<S>, "count">, string | number>>
    : Readonly<Record<NamesIn<E>, string | number>>;
type Arguments<K extends Key> =
  EntryOf<K> extends Plural
    ? [values: Values<EntryOf<K>>]
    : [NamesIn<EntryOf<K>>] extends [never]
      ? []
      : [values: Values<EntryOf<K>>];

type All<U> = (U extends string ? (name: `${string}{${U}}${string}`) => void : never) extends (
  text: infer T,
) => void
  ? T
  : never;
type WithNames<S> = [NamesIn<S>] extends [never] ? string : All<NamesIn<S>>;

/** A catalogue in another language: the same keys, and in each text the same {names}. */
export type Translation<C> = {
  readonly [K in keyof C]: C[K] extends Plural<infer S>
    ? { readonly one: string; readonly other: WithNames<S> }
    : WithNames<C[K]>;
};

type Load = () => Promise<{ readonly texts: Texts }>;

const catalogues = new Map<CatalogueName, Readonly<Record<Language, Load>>>();
/** The catalogues that screens have asked for. A change of language loads them again. */
const wanted = new Set<CatalogueName>();
const loading = new Map<string, Promise<void>>();
const loaded: Record<Language, Texts> = { en: {}, sw: {} };
const listeners = new Set<() => void>();

/** Makes a catalogue known, with the loader of each language. */
export function provideCatalogue(name: CatalogueName, loaders: Readonly<Record<Language, Load>>): void {
  catalogues.set(name, loaders);
}

/** Adds texts of a language that have loaded already. */
export function addTexts(language: Language, texts: Texts): void {
  loaded[language] = { ...loaded[language], ...texts };
}

async function load(name: CatalogueName, language: Language): Promise<void> {
  const texts = await catalogues.get(name)?.[language]();
  if (texts) addTexts(language, texts.texts);
}

function loadOnce(name: CatalogueName, language: Language): Promise<void> {
  const id = `${language} ${name}`;
  const running = loading.get(id) ?? load(name, language);
  loading.set(id, running);
  // A lost connection must not block the catalogue for the rest of the visit.
  running.catch(() => loading.delete(id));
  return running;
}

/** Loads catalogues in the player's language. Rejects when one cannot be fetched; calling it again tries again. */
export async function loadTexts(...names: readonly CatalogueName[]): Promise<void> {
  const language = currentLanguage();
  for (const name of names) wanted.add(name);
  await Promise.all(names.map((name) => loadOnce(name, language)));
  if (currentLanguage() !== language) await loadTexts(...names);
}

/** Loads code and the texts that it shows side by side. */
export async function withTexts<T>(code: Promise<T>, ...names: readonly CatalogueName[]): Promise<T> {
  const [ready] = await Promise.all([code, loadTexts(...names)]);
  return ready;
}

/**
 * Changes the language on this device, once its texts have loaded. Rejects, and changes nothing, when they cannot be
 * fetched.
 */
export async function changeLanguage(language: Language): Promise<void> {
  await Promise.all([...wanted].map((name) => loadOnce(name, language)));
  storeLanguage(language);
  for (const listener of listeners) listener();
}

/** Calls back after each change of the language. Returns the unsubscribe function. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function formOf(entry: string | Plural, count: unknown): string {
  if (typeof entry === "string") return entry;
  return pluralRules().select(Number(count)) === "one" ? entry.one : entry.other;
}

/**
 * The text of a key in the player's language, with its {names} filled in and its numbers written as the language does.
 * The compiler checks that every name is given.
 */
export function t<K extends Key>(key: K, ...[values]: Arguments<K>): string {
  const entry = loaded[currentLanguage()][key];
  if (entry === undefined) return key;
  const given: Readonly<Record<string, string | number>> = values ?? {};
  return formOf(entry, given.count).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = given[name] ?? whole;
    return typeof value === "number" ? wholeNumbers().format(value) : value;
  });
}
