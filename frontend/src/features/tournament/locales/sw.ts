import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "tournaments.title": "Mashindano",
  "tournaments.empty": "Shindano lijalo litaonekana hapa.",
  "tournaments.none": "Hakuna shindano kwa sasa",
  "tournaments.failed": "Mashindano hayakupakia",
  "tournaments.upcoming": "Yanayokuja",
  "tournaments.ongoing": "Yanayoendelea",
  "tournaments.expired": "Yaliyoisha",
  "tournaments.startsIn": "Linaanza baada ya {time}",
  "tournaments.endsIn": "Linaisha baada ya {time}",
  "tournaments.ended": "Liliisha {date}",
  "tournaments.live": "MUBASHARA",
  "tournaments.next": "Linalofuata",
  "tournaments.signIn": "Ingia ili ushiriki",
  "tournaments.enter": "Shiriki",
  "tournaments.entered": "Alama zako zinahesabiwa",
} as const satisfies Translation<typeof english>;
