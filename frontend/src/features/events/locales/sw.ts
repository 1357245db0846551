import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "events.title": "Matukio",
  "events.slide": "Tukio la {number} kati ya {count}",
  "events.empty": "Habari za PlayOn zitaonekana hapa.",
  "events.pause": "Simamisha matukio yasisogee",
  "events.resume": "Acha matukio yasogee",
} as const satisfies Translation<typeof english>;
