import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "ui.back": "Rudi",
  "ui.close": "Funga",
  "ui.retry": "Jaribu tena",
  "ui.loading": "Inapakia",
  "ui.failed": "Hatukuweza kupakia sehemu hii",
  "ui.empty": "Lo, hakuna kitu hapa.",
  "ui.home": "Mwanzo",
  "ui.reference": "Kumbukumbu:",
  "ui.copy": "Nakili",
  "ui.copied": "Imenakiliwa",

  "update.inProgress":
    "Badiliko lingine bado linaendelea. Tafadhali subiri sekunde chache kabla ya kubonyeza kitufe tena.",

  "ui.refresh": "Onyesha upya",
  "ui.stale": "Kufikia {time}. {reason}",
  "ui.skip": "Ruka hadi yaliyomo",

  "picker.currency.title": "Sarafu",
  "picker.country.title": "Nchi",

  "profile.phone.required": "Tafadhali weka nambari yako ya simu.",
  "profile.phone.example": "+254xxxxxxxx",
} as const satisfies Translation<typeof english>;
