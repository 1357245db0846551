import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "ui.back": "Rudi",
  "ui.close": "Funga",
  "ui.retry": "Jaribu tena",
  "ui.copy": "Nakili",
  "ui.copied": "Imenakiliwa",
  "ui.loading": "Inapakia",
  "ui.failed": "Hatukuweza kupakia sehemu hii",
  "ui.empty": "Lo, hakuna kitu hapa.",
  "ui.home": "Mwanzo",

  "update.inProgress":
    "Badiliko lingine bado linaendelea. Tafadhali subiri sekunde chache kabla ya kubonyeza kitufe tena.",

  "ui.refresh": "Onyesha upya",
  "ui.stale": "Huenda habari hizi si za sasa. {reason}",
  "ui.reference": "Kumbukumbu:",
  "ui.skip": "Ruka hadi kwenye yaliyomo",

  "picker.currency.title": "Sarafu",
  "picker.country.title": "Nchi",

  "profile.phone.required": "Tafadhali weka nambari yako ya simu.",
  "profile.phone.example": "+254xxxxxxxx",
} as const satisfies Translation<typeof english>;
