import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "picker.currency.search": "Tafuta sarafu",
  "picker.country.search": "Tafuta nchi",
  "picker.suggested": "Zinazopendekezwa",
  "picker.currency.rest": "Sarafu nyingine",
  "picker.country.rest": "Nchi nyingine",
  "picker.found": "Zilizopatikana: {count}",
  "picker.clear": "Futa utafutaji",
  "picker.updating": "Inahifadhi...",
  "picker.region.Africa": "Afrika",
  "picker.region.Americas": "Amerika",
  "picker.region.Antarctica": "Antaktika",
  "picker.region.Asia": "Asia",
  "picker.region.Europe": "Ulaya",
  "picker.region.Oceania": "Oshania",
} as const satisfies Translation<typeof english>;
