import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./first.en";

export const texts = {
  "welcome.title": "Karibu PlayOn",
  "welcome.line": "Michezo ya ustadi kwa Wakenya. Shindana na marafiki zako ujishindie zawadi.",
  "welcome.start": "Anza",
  "welcome.try": "Jaribu mchezo kwanza",

  "offline.title": "Mtandao Umepotea",
  "offline.text": "Tafadhali angalia mtandao wako kisha ujaribu tena baada ya sekunde chache.",
  "offline.now": "Sasa huna mtandao",
  "offline.backOnline": "Mtandao umerudi",

  "notFound.title": "Ukurasa Haupatikani",
  "notFound.text": "Lo! Inaonekana umepotea njia.",
} as const satisfies Translation<typeof english>;
