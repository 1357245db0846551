import { t } from "@/lib/i18n/i18n";
import { currentLocale } from "@/lib/i18n/language";

const rules = new Map<string, Intl.PluralRules>();

function ordinalRules(): Intl.PluralRules {
  const locale = currentLocale();
  const known = rules.get(locale) ?? new Intl.PluralRules(locale, { type: "ordinal" });
  rules.set(locale, known);
  return known;
}

/** "1st", "22nd", "1,003rd", as the language writes a place. */
export function ordinalText(rank: number): string {
  const form = ordinalRules().select(rank);
  switch (form) {
    case "one":
    case "two":
    case "few":
      return t(`rank.${form}`, { rank });
    default:
      return t("rank.other", { rank });
  }
}
