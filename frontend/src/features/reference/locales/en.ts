export const texts = {
  "picker.currency.search": "Search currency",
  "picker.country.search": "Search country",
  "picker.suggested": "Suggested",
  "picker.currency.rest": "Other currencies",
  "picker.country.rest": "Other countries",
  "picker.found": "{count} found",
  "picker.clear": "Clear search",
  "picker.updating": "Updating...",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    reference: typeof texts;
  }
}
