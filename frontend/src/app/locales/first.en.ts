/** Texts of the first view and of the pages that must show without another request. */
export const texts = {
  "welcome.title": "Welcome to PlayOn",
  "welcome.line": "Skill games made for Kenya. Challenge your friends and win prizes.",
  "welcome.start": "Get Started",
  "welcome.try": "Try a game first",

  "offline.title": "Connection Lost",
  "offline.text": "Please check your connection and try again after a few seconds.",
  "offline.now": "You are now offline",
  "offline.backOnline": "You are back online",

  "notFound.title": "Page Not Found",
  "notFound.text": "Oops! It looks like you took the wrong turn.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    first: typeof texts;
  }
}
