import type { Country, Currency } from "./api";

export type ReferenceType = "currency" | "country";

/** One entry of a picker. */
export interface Choice {
  /** What the profile keeps: a currency's code, a country's alpha-2 code. */
  readonly value: string;
  readonly name: string;
  /** Every code it can be found by; the first one is shown. */
  readonly codes: readonly string[];
  /** The region it is listed under, if its list has any. */
  readonly region: string;
}

export interface Group {
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** Where most players are at home. */
const AT_HOME: readonly string[] = ["KE", "KES"];

const byName = new Intl.Collator("en");

export function choiceOfCountry({ name, alpha2Code, alpha3Code, region }: Country): Choice {
  return { value: alpha2Code, name, codes: [alpha2Code, alpha3Code], region };
}

export function choiceOfCurrency({ code, name }: Currency): Choice {
  return { value: code, name, codes: [code], region: "" };
}

/**
 * The whole list as it is browsed: what the player has and what most players want stands first, under the given
 * heading, the rest follows by region and name.
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

/** One spelling for what a person takes for the same: no case, no accents, no apostrophes, one space between words. */
function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** How well a choice answers a search: the lower, the better; null for not at all. */
function rank({ name, codes }: Choice, wanted: string): number | null {
  const known = folded(name);
  if (codes.some((code) => folded(code) === wanted)) return 0;
  if (known.startsWith(wanted)) return 1;
  if (known.includes(` ${wanted}`)) return 2;
  if (codes.some((code) => folded(code).startsWith(wanted))) return 3;
  return known.includes(wanted) ? 4 : null;
}

/** Whether anything is searched for at all: blanks and punctuation are not. */
export function isSearch(query: string): boolean {
  return folded(query) !== "";
}

/** What a search finds by name or code, the likeliest first. */
export function found(choices: readonly Choice[], query: string): Choice[] {
  const wanted = folded(query);
  return choices
    .map((choice) => ({ choice, rank: rank(choice, wanted) }))
    .filter((hit): hit is { choice: Choice; rank: number } => hit.rank !== null)
    .sort((a, b) => a.rank - b.rank || byName.compare(a.choice.name, b.choice.name))
    .map(({ choice }) => choice);
}
