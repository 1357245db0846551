export const texts = {
  "picker.currency.search": "Search currency",
  "picker.country.search": "Search country",
  "picker.suggested": "Suggested",
  "picker.currency.rest": "Other currencies",
  "picker.country.rest": "Other countries",
  "picker.found": "{count} found",
  "picker.clear": "Clear search",
  "picker.updating": "Updating...",
  "picker.region.Africa": "Africa",
  "picker.region.Americas": "Americas",
  "picker.region.Antarctica": "Antarctica",
  "picker.region.Asia": "Asia",
  "picker.region.Europe": "Europe",
  "picker.region.Oceania": "Oceania",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    reference: typeof texts;
  }
}
