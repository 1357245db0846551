import { currentLocale } from "@/lib/i18n/language";

/** Intl formatters are slow to make, so one is kept for each language and set of options. */
function perLocale<F>(make: (locale: string) => F): () => F {
  const made = new Map<string, F>();
  return () => {
    const locale = currentLocale();
    const formatter = made.get(locale) ?? make(locale);
    made.set(locale, formatter);
    return formatter;
  };
}

export const wholeNumbers = perLocale(
  (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
);
export const amounts = perLocale(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
export const fullDates = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" }),
);
export const shortDates = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }),
);
export const clockTimes = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
);
export const relativeDays = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
export const pluralRules = perLocale((locale) => new Intl.PluralRules(locale));
export const collators = perLocale((locale) => new Intl.Collator(locale));
