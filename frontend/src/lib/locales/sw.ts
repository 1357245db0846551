import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "app.pageTitle": "{title} · PlayOn",

  "fault.timeout": "PlayOn imechelewa kujibu. Angalia mtandao wako kisha ujaribu tena.",
  "fault.offline": "Hatukuweza kuifikia PlayOn. Angalia mtandao wako kisha ujaribu tena.",
  "fault.badReply": "Tumepata jibu ambalo ukurasa huu hauelewi. Pakia ukurasa upya kisha ujaribu tena.",
  "fault.unavailable": "PlayOn haipatikani kwa sasa. Tafadhali jaribu tena baada ya muda mfupi.",
  "fault.rateLimited": "Umejaribu mara nyingi mno. Tafadhali subiri dakika {minutes} kisha ujaribu tena.",
  "fault.unknown": "Kuna hitilafu imetokea.",
  "fault.signedOut": "Hujaingia kwenye akaunti",
  "fault.sessionLost": "Umetolewa kwenye akaunti katika simu hii. Tafadhali ingia tena.",
  "fault.crash": "Samahani, kuna hitilafu upande wetu. Kupakia ukurasa upya mara nyingi husaidia.",
  "fault.page": "Kuna hitilafu",
  "fault.chunk.page": "Bado haijapakia",
  "fault.chunk.title": "Sehemu hii haikupakia",
  "fault.payment": "Malipo yako hayajaathirika.",
  "fault.chunk.text": "Mtandao ulikatika ilipokuwa ikipakia. Angalia mtandao wako, kisha ujaribu tena.",

  "money.kes": "KES {amount}",

  "time.today": "Leo",
  "time.yesterday": "Jana",

  "span.days": "siku {days}, saa {hours}",
  "span.hours": "saa {hours}, dakika {minutes}",
  "span.minutes": "dakika {minutes}, sekunde {seconds}",
} as const satisfies Translation<typeof english>;
