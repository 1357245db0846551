/** Texts of the layouts and of the screens that belong to no feature. */
export const texts = {
  "app.version": "Version {version}",

  "onboarding.skip": "Skip",
  "onboarding.next": "Next",
  "onboarding.count": "{number} of {count}",
  "onboarding.slide": "Slide {number} of {count}",
  "onboarding.play.title": "Play games you know",
  "onboarding.play.text":
    "The board you grew up with, a race for words and a cheetah on the run. Easy on your bundle.",
  "onboarding.compete.title": "Climb the board",
  "onboarding.compete.text": "A tournament is as hard for everyone. The best scores win the prize.",
  "onboarding.compete.climb": "You climb from 9th to 4th",
  "onboarding.compete.you": "You",
  "onboarding.cash.title": "Cash out to M-Pesa",
  "onboarding.cash.text":
    "What you win goes to your wallet, in shillings. Send it to your phone when you like.",
  "onboarding.cash.sent": "Sent to 0712 … 678",

  "auth.logout.unconfirmed": "You are signed out on this phone, but PlayOn could not confirm it: {reason}",

  "home.hi": "Hi {name}",
  "home.hiThere": "Hi there",
  "home.signIn": "Sign in",
  "home.openProfile": "Open your profile",
  "home.toWallet": "Your balance: {amount}. Open your wallet",

  "update.ready": "A new version is ready",
  "update.text": "It takes a second, and you stay right here.",
  "update.apply": "Update now",
  "update.later": "Later",
  "update.heldElsewhere": "A payment is open in another tab. Finish it first, then update.",
  "install.title": "Add to home screen",
  "install.text": "It opens like an app, loads faster, and works even offline.",
  "install.later": "Not now",

  "menu.open": "Open menu",
  "menu.title": "Menu",
  "menu.tournaments": "Tournaments",
  "menu.tv": "PlayOn TV",
  "menu.chatRooms": "Chat rooms",
  "menu.wallet": "Wallet",
  "menu.subscriptions": "Subscriptions",
  "menu.contact": "Contact us",
  "menu.boost": "Boost a friend",
  "menu.hallOfFame": "Hall of fame",
  "menu.login": "Log In",
  "menu.logout": "Logout",

  "tabs.label": "Main",
  "tabs.home": "Home",
  "tabs.notifications": "Notifications",
  "tabs.account": "Account",
  "tabs.unread": "{count} unread",

  "account.title": "Account",
  "account.view": "View",
  "account.nameless": "Could not fetch name",
  "account.terms": "Terms of Service",
  "account.privacy": "Privacy Policy",
  "account.phones": "Phones for withdrawals",
  "account.spending": "Spending and limits",
  "account.spending.hint": "Set yourself a limit a day, week or month",
  "account.data": "My data",
  "account.data.hint": "Download a copy",
  "account.logout": "Logout",
  "account.preferences": "Preferences",
  "account.currency": "Currency",
  "account.country": "Country",
  "account.language": "Language",
  "account.changePassword": "Change password",
  "account.stay": "Stay signed in on this phone",
  "account.stay.hint": "For 30 days after each visit. Leave it off on a phone that others use.",
  "account.everywhere": "Sign out everywhere",
  "account.everywhere.hint": "On all your devices",
  "account.everywhere.text":
    "You will be signed out on every phone and computer, including this one. Your account and wallet stay as they are.",
  "account.everywhere.line": "Lost a phone, or lent one out? This signs it out too.",
  "account.everywhere.stay": "Stay signed in",
  "account.notChosen": "Not chosen yet",

  "profile.incomplete": "You need to update your profile details to proceed",
  "profile.toHome": "Go to Home",
  "app.storageRefused":
    "Your browser cannot store anything for PlayOn now. You may have to sign in again when this page is closed or reloaded.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    app: typeof texts;
  }
}
