export const texts = {
  "tv.title": "PlayOn TV",
  "tv.data": "A video uses data only once you tap it.",
  "tv.watch": "Watch now",
  "tv.play": "Play {title}",
  "tv.others": "More videos",
  "tv.failed": "Sorry, it seems we're having trouble connecting to the server. Please try again later.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    tv: typeof texts;
  }
}
