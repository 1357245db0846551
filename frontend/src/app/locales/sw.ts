import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "app.version": "Toleo {version}",

  "onboarding.skip": "Ruka",
  "onboarding.next": "Endelea",
  "onboarding.count": "{number} kati ya {count}",
  "onboarding.slide": "Picha ya {number} kati ya {count}",
  "onboarding.play.title": "Cheza michezo unayoijua",
  "onboarding.play.text": "Bao la utotoni mwako, mbio za maneno na duma anayekimbia. Haili bando lako.",
  "onboarding.compete.title": "Panda jedwalini",
  "onboarding.compete.text": "Shindano ni gumu sawa kwa kila mtu. Alama bora hushinda zawadi.",
  "onboarding.compete.climb": "Unapanda kutoka nafasi ya 9 hadi ya 4",
  "onboarding.compete.you": "Wewe",
  "onboarding.cash.title": "Toa pesa kwa M-Pesa",
  "onboarding.cash.text":
    "Unachoshinda kinaingia kwenye pochi yako, kwa shilingi. Kitume kwa simu yako wakati wowote.",
  "onboarding.cash.sent": "Zimefika 0712 … 678",

  "auth.logout.unconfirmed":
    "Umetoka kwenye akaunti katika simu hii, lakini PlayOn haikuweza kuthibitisha: {reason}",

  "home.hi": "Mambo, {name}",
  "home.hiThere": "Mambo vipi",
  "home.signIn": "Ingia",
  "home.openProfile": "Fungua wasifu wako",
  "home.toWallet": "Salio lako: {amount}. Fungua pochi yako",

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
  "menu.tv": "PlayOn TV",
  "menu.chatRooms": "Vyumba vya gumzo",
  "menu.wallet": "Pochi",
  "menu.subscriptions": "Usajili",
  "menu.contact": "Wasiliana nasi",
  "menu.boost": "Mpe rafiki pesa",
  "menu.hallOfFame": "Ukumbi wa mashujaa",
  "menu.login": "Ingia",
  "menu.logout": "Toka",

  "tabs.label": "Sehemu kuu",
  "tabs.home": "Mwanzo",
  "tabs.notifications": "Arifa",
  "tabs.account": "Akaunti",
  "tabs.unread": "{count} mpya",

  "account.title": "Akaunti",
  "account.view": "Tazama",
  "account.nameless": "Hatukupata jina",
  "account.terms": "Masharti ya Huduma",
  "account.privacy": "Sera ya Faragha",
  "account.phones": "Simu za kutoa pesa",
  "account.spending": "Matumizi na vikomo",
  "account.spending.hint": "Jiwekee kikomo cha siku, wiki au mwezi",
  "account.data": "Taarifa zangu",
  "account.data.hint": "Pakua nakala",
  "account.logout": "Toka",
  "account.preferences": "Mapendeleo",
  "account.currency": "Sarafu",
  "account.country": "Nchi",
  "account.language": "Lugha",
  "account.changePassword": "Badilisha nenosiri",
  "account.stay": "Baki ndani kwenye simu hii",
  "account.stay.hint": "Kwa siku 30 baada ya kila ziara. Usiwashe kwenye simu inayotumiwa na wengine.",
  "account.everywhere": "Toka kwenye vifaa vyote",
  "account.everywhere.hint": "Simu na kompyuta zako zote",
  "account.everywhere.text":
    "Utatolewa kwenye akaunti katika kila simu na kompyuta, pamoja na hii. Akaunti na pochi yako zitabaki zilivyo.",
  "account.everywhere.line": "Umepoteza simu, au umemwazima mtu? Hii inaitoa pia.",
  "account.everywhere.stay": "Baki ndani",
  "account.notChosen": "Bado hujachagua",

  "profile.incomplete": "Unahitaji kujaza wasifu wako ili uendelee",
  "profile.toHome": "Nenda Mwanzo",
  "app.storageRefused":
    "Kivinjari chako hakiwezi kuhifadhi chochote cha PlayOn kwa sasa. Huenda ukahitaji kuingia tena ukifunga au kupakia upya ukurasa huu.",
} as const satisfies Translation<typeof english>;
