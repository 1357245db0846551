import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "home.featured": "Michezo Moto",
  "home.games.empty": "Bado tunaongeza michezo. Hebu angalia tena baadaye?",
  "home.recent": "Ulicheza hivi karibuni",
  "home.recent.empty": "Michezo unayocheza itaonekana hapa.",
  "home.allGames": "Ona yote",
  "home.try": "Jaribu {name}",
  "home.try.text": "Huhitaji akaunti",

  "games.title": "Michezo",
  "games.play": "Cheza",

  "game.playNow": "Cheza sasa",
  "game.practice": "Mazoezi",
  "game.signIn": "Ingia",
  "game.starting": "{name} inaanza",
  "game.failed": "Hatukuweza kupata mchezo huu.",
  "game.share.text": "Alama zangu kwenye {name}: {points}. Je, unaweza kuzizidi?",
  "game.share.copied": "Ujumbe umenakiliwa. Ubandike popote walipo marafiki zako.",
  "game.share.failed": "Hatukuweza kushiriki. Jaribu tena, au piga picha ya skrini.",
  "game.trailer": "Video",
  "game.trailer.of": "Video ya {name}",
  "game.trailer.close": "Funga video",
  "game.fair": "Kila alama hukaguliwa kwa kuirudia zamu yako, ili jedwali liwe la haki.",
  "game.guest": "Mazoezi hayahitaji akaunti. Ingia, na alama zako zihesabiwe.",
  "game.others": "Michezo mingine",
  "game.level": "Kiwango",
  "game.level.easy": "Rahisi",
  "game.level.medium": "Wastani",
  "game.level.hard": "Ngumu",
  "game.level.number": "Kiwango cha {number}",
} as const satisfies Translation<typeof english>;
