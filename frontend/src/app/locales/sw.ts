import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "app.version": "Toleo {version}",

  "onboarding.skip": "Ruka",
  "onboarding.next": "Endelea",
  "onboarding.slide": "Picha ya {number} kati ya {count}",
  "onboarding.play.title": "Cheza michezo unayoijua",
  "onboarding.play.text":
    "Cheza Ajua, shindana na saa ukiunda maneno, au kimbia na duma. Michezo hufunguka haraka, hata kwa bando dogo.",
  "onboarding.compete.title": "Panda juu ya orodha",
  "onboarding.compete.text": "Ingia kwenye shindano, vunja rekodi na uone jina lako jukwaani.",
  "onboarding.cash.title": "Toa pesa kwa M-Pesa",
  "onboarding.cash.text":
    "Pochi yako ni ya shilingi. Weka pesa kwa simu yako na ujue kila wakati pesa zako ziko wapi.",

  "auth.logout.unconfirmed":
    "Umetoka kwenye akaunti katika simu hii, lakini PlayOn haikuweza kuthibitisha: {reason}",

  "home.hi": "Mambo, {name}",
  "home.hiThere": "Mambo vipi",
  "home.ready": "Uko tayari kucheza?",
  "home.guest": "Karibu!",
  "home.guestLine": "Tembea uone tulicho nacho",
  "home.signIn": "Ingia",
  "home.openProfile": "Fungua wasifu wako",

  "update.ready": "Toleo jipya liko tayari",
  "update.text": "Ni sekunde moja tu, na utabaki hapa hapa.",
  "update.apply": "Sasisha sasa",
  "update.later": "Baadaye",
  "update.heldElsewhere": "Kuna malipo kwenye kichupo kingine. Yamalize kwanza, kisha usasishe.",
  "install.title": "Ongeza kwenye skrini ya mwanzo",
  "install.text": "Hufunguka kama programu, hupakia haraka, na hufanya kazi hata bila mtandao.",
  "install.later": "Si sasa",

  "menu.open": "Fungua menyu",
  "menu.title": "Menyu",
  "menu.tournaments": "Mashindano",
  "menu.chatRooms": "Vyumba vya gumzo",
  "menu.wallet": "Pochi",
  "menu.login": "Ingia",
  "menu.logout": "Toka",

  "tabs.label": "Sehemu kuu",
  "tabs.home": "Mwanzo",
  "tabs.notifications": "Arifa",
  "tabs.account": "Akaunti",

  "account.title": "Akaunti",
  "account.view": "Tazama",
  "account.nameless": "Hatukupata jina",
  "account.terms": "Masharti ya Huduma",
  "account.privacy": "Sera ya Faragha",
  "account.logout": "Toka",
  "account.preferences": "Mapendeleo",
  "account.currency": "Sarafu",
  "account.country": "Nchi",
  "account.language": "Lugha",
  "account.changePassword": "Badilisha nenosiri",
  "account.everywhere": "Toka kwenye vifaa vyote",
  "account.everywhere.hint": "Simu na kompyuta zako zote",
  "account.everywhere.text":
    "Utatolewa kwenye akaunti katika kila simu na kompyuta, pamoja na hii. Akaunti na pochi yako zitabaki zilivyo.",
  "account.everywhere.stay": "Usitoke",
  "account.notChosen": "Bado hujachagua",

  "profile.incomplete": "Unahitaji kujaza wasifu wako ili uendelee",
  "profile.toHome": "Nenda Mwanzo",
} as const satisfies Translation<typeof english>;
