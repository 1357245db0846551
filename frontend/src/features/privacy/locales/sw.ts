import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "data.title": "Taarifa zangu",
  "data.line": "Taarifa zako ni zako. Chukua nakala ya taarifa zote.",
  "data.text":
    "Nakala ina wasifu, malipo, michezo, mashindano, jumbe na arifa zako: kama ukurasa unaoweza kuusoma, na kama faili kwa programu nyingine.",
  "data.ask": "Omba nakala yangu",
  "data.collecting": "Tunaandaa nakala yako. Inachukua dakika moja, na arifa itakuambia ikiwa tayari.",
  "data.ready": "Nakala yako iko tayari. Unaweza kuipakua hadi {time}, kisha itafutwa.",
  "data.page": "Pakua kama ukurasa",
  "data.file": "Pakua kama JSON",
  "data.care": "Itunze vizuri: mwenye faili anaweza kusoma yote yaliyomo.",
} as const satisfies Translation<typeof english>;
