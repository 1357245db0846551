export const texts = {
  "home.featured": "Featured Games",
  "home.games.empty": "We are still adding games. Maybe check back later?",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    games: typeof texts;
  }
}
