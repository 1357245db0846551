import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "push.screen": "Arifa",
  "push.title": "Kwenye simu hii",
  "push.reason":
    "Pata taarifa pesa zikiingia au matokeo ya shindano lako yakitoka, hata PlayOn ikiwa imefungwa.",
  "push.switchOn": "Washa",
  "push.onHere": "Simu hii inapokea arifa zako.",
  "push.blocked": "Kivinjari chako kimezizuia. Ruhusu arifa za PlayOn kwenye mipangilio yake, kisha urudi.",
  "push.unsupported":
    "Kivinjari hiki hakiwezi kuzionyesha. Weka PlayOn kwenye skrini ya mwanzo, au jaribu kivinjari kingine.",
  "push.failed": "Hatukuweza kubadilisha. Angalia mtandao wako kisha ujaribu tena.",
  "push.kinds": "Cha kutuma",
  "push.topic.money": "Pesa zinazoingia na kutoka",
  "push.topic.boosts": "Pesa kutoka kwa marafiki",
  "push.topic.tournaments": "Matokeo na zawadi za mashindano",
  "push.topic.subscriptions": "Vifurushi",
  "push.topic.mentions": "Ukitajwa kwenye gumzo",
  "push.quiet": "Saa za utulivu",
  "push.quiet.hint": "Hakuna kitakacholia wakati huo, saa za Nairobi.",
  "push.quiet.from": "Kuanzia",
  "push.quiet.until": "Hadi",
  "push.inbox": "Kila kitu bado kinakusubiri kwenye Arifa.",
} as const satisfies Translation<typeof english>;
