import { t } from "@/lib/i18n/i18n";
import { collators } from "@/lib/i18n/intl";
import { currentLanguage } from "@/lib/i18n/language";
import type { Country, Currency } from "./api";
import { nameOf } from "./names";

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
const KENYA: readonly string[] = ["KE", "KES"];

export function choiceOfCountry({ name, alpha2Code, alpha3Code, region }: Country): Choice {
  return { value: alpha2Code, name, codes: [alpha2Code, alpha3Code], region };
}

export function choiceOfCurrency({ code, name }: Currency): Choice {
  return { value: code, name, codes: [code], region: "" };
}

const REGIONS = ["Africa", "Americas", "Antarctica", "Asia", "Europe", "Oceania"] as const;

/** The server's lists are in English. Other languages take the names from Intl; the English name still finds the entry. */
export function inPlayersLanguage(type: ReferenceType, choices: readonly Choice[]): readonly Choice[] {
  if (currentLanguage() === "en") return choices;
  return choices.map((choice) => {
    const region = REGIONS.find((each) => each === choice.region);
    return {
      ...choice,
      name: nameOf(type === "country" ? "region" : "currency", choice.value) ?? choice.name,
      codes: [...choice.codes, choice.name],
      region: region ? t(`picker.region.${region}`) : choice.region,
    };
  });
}

/**
 * The list without a search: the player's own choice and Kenya's come first, under the given heading; the others follow
 * by region and name.
 */
export function groupChoices(choices: readonly Choice[], selected: string | null, heading: string): Group[] {
  const isSuggested = ({ value }: Choice) => value === selected || KENYA.includes(value);
  const suggested = choices.filter(isSuggested).sort((a) => (a.value === selected ? -1 : 1));
  const regions = new Map<string, Choice[]>();
  for (const choice of choices) {
    if (!isSuggested(choice)) regions.set(choice.region, [...(regions.get(choice.region) ?? []), choice]);
  }
  const rest = [...regions]
    .sort(([a], [b]) => collators().compare(a, b))
    .map(([name, members]) => ({
      name,
      choices: members.sort((a, b) => collators().compare(a.name, b.name)),
    }));
  return suggested.length === 0 ? rest : [{ name: heading, choices: suggested }, ...rest];
}

/** Normalises a text for comparison: no case, accents or apostrophes, one space between words. */
function normalize(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The rank of a choice in a search (lower is better); null when it does not match. */
function rank({ name, codes }: Choice, wanted: string): number | null {
  const known = normalize(name);
  if (codes.some((code) => normalize(code) === wanted)) return 0;
  if (known.startsWith(wanted)) return 1;
  if (known.includes(` ${wanted}`)) return 2;
  if (codes.some((code) => normalize(code).startsWith(wanted))) return 3;
  return known.includes(wanted) ? 4 : null;
}

/** Whether a query contains a letter or a digit. */
export function isSearch(query: string): boolean {
  return normalize(query) !== "";
}

/** The choices that match a query by name or code, best match first. */
export function searchChoices(choices: readonly Choice[], query: string): Choice[] {
  const wanted = normalize(query);
  return choices
    .map((choice) => ({ choice, rank: rank(choice, wanted) }))
    .filter((hit): hit is { choice: Choice; rank: number } => hit.rank !== null)
    .sort((a, b) => a.rank - b.rank || collators().compare(a.choice.name, b.choice.name))
    .map(({ choice }) => choice);
}
