import type { Country, Currency } from "./api";

export type ReferenceType = "currency" | "country";

/** One entry of a picker. */
export interface Choice {
  /** The profile's value: a currency code or a country's alpha-2 code. */
  readonly value: string;
  readonly name: string;
  /** The codes that a search finds it by; the first one is shown. */
  readonly codes: readonly string[];
  /** The region it is listed under; empty for currencies. */
  readonly region: string;
}

export interface Group {
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** Kenya and its currency, which most players choose. */
const AT_HOME: readonly string[] = ["KE", "KES"];

const byName = new Intl.Collator("en");

export function choiceOfCountry({ name, alpha2Code, alpha3Code, region }: Country): Choice {
  return { value: alpha2Code, name, codes: [alpha2Code, alpha3Code], region };
}

export function choiceOfCurrency({ code, name }: Currency): Choice {
  return { value: code, name, codes: [code], region: "" };
}

/**
 * The list without a search: the player's own choice and Kenya's come first, under the given heading; the others follow
 * by region and name.
 */
export function grouped(choices: readonly Choice[], selected: string | null, first: string): Group[] {
  const isNear = ({ value }: Choice) => value === selected || AT_HOME.includes(value);
  const near = choices.filter(isNear).sort((a) => (a.value === selected ? -1 : 1));
  const regions = new Map<string, Choice[]>();
  for (const choice of choices) {
    if (!isNear(choice)) regions.set(choice.region, [...(regions.get(choice.region) ?? []), choice]);
  }
  const rest = [...regions]
    .sort(([a], [b]) => byName.compare(a, b))
    .map(([name, members]) => ({ name, choices: members.sort((a, b) => byName.compare(a.name, b.name)) }));
  return near.length === 0 ? rest : [{ name: first, choices: near }, ...rest];
}

/** Normalises a text for comparison: no case, accents or apostrophes, one space between words. */
function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The rank of a choice in a search (lower is better); null when it does not match. */
function rank({ name, codes }: Choice, wanted: string): number | null {
  const known = folded(name);
  if (codes.some((code) => folded(code) === wanted)) return 0;
  if (known.startsWith(wanted)) return 1;
  if (known.includes(` ${wanted}`)) return 2;
  if (codes.some((code) => folded(code).startsWith(wanted))) return 3;
  return known.includes(wanted) ? 4 : null;
}

/** Whether a query contains a letter or a digit. */
export function isSearch(query: string): boolean {
  return folded(query) !== "";
}

/** The choices that match a query by name or code, best match first. */
export function found(choices: readonly Choice[], query: string): Choice[] {
  const wanted = folded(query);
  return choices
    .map((choice) => ({ choice, rank: rank(choice, wanted) }))
    .filter((hit): hit is { choice: Choice; rank: number } => hit.rank !== null)
    .sort((a, b) => a.rank - b.rank || byName.compare(a.choice.name, b.choice.name))
    .map(({ choice }) => choice);
}
