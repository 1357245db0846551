import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "support.title": "Wasiliana nasi",
  "support.headline": "Tuandikie",
  "support.line": "Una swali, tatizo au wazo? Tuandikie. Tunajibu kwa barua pepe.",
  "support.form": "Maoni",
  "support.email": "Barua pepe",
  "support.subject": "Mada",
  "support.message": "Ujumbe",
  "support.send": "Tuma",
  "support.emailMissing": "Tafadhali weka barua pepe yako",
  "support.emailInvalid": "Tafadhali weka barua pepe sahihi.",
  "support.subjectMissing": "Tafadhali weka mada.",
  "support.messageMissing": "Tafadhali andika ujumbe.",
  "support.confirm": "Tunathamini maoni yako",
  "support.confirmLine": "Tutatuma ujumbe wako kwa timu yetu, pamoja na anwani yako ya kujibiwa: {email}.",
  "support.submit": "Wasilisha",
  "support.edit": "Endelea kuandika",
  "support.sent": "Asante! Tumepokea ujumbe wako.",
  "support.contacts": "Njia nyingine za kutufikia",
  "support.Email": "Barua pepe",
  "support.Phone": "Simu",
  "support.Whatsapp": "WhatsApp",
  "support.Instagram": "Instagram",
  "support.Twitter": "X (Twitter)",
} as const satisfies Translation<typeof english>;
