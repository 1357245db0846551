import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./first.en";

export const texts = {
  "welcome.title": "Karibu PlayOn",
  "welcome.line": "Michezo ya ustadi kwa Wakenya. Shindana na marafiki zako ujishindie zawadi.",
  "welcome.start": "Anza",

  "offline.title": "Mtandao Umepotea",
  "offline.text": "Tafadhali angalia mtandao wako kisha ujaribu tena baada ya sekunde chache.",
  "offline.back": "Rudi",
  "offline.now": "Sasa huna mtandao",
  "offline.backOnline": "Mtandao umerudi",

  "notFound.title": "Ukurasa Haupatikani",
  "notFound.text": "Lo! Inaonekana umepotea njia.",
  "notFound.home": "Mwanzo",
} as const satisfies Translation<typeof english>;
