export const texts = {
  "home.featured": "Featured Games",
  "home.games.empty": "We are still adding games. Maybe check back later?",
  "home.recent": "Recently played",
  "home.recent.empty": "The games you play appear here.",
  "home.allGames": "See all",
  "home.try": "Try {name}",
  "home.try.text": "No account needed",

  "games.title": "Games",
  "games.play": "Play",

  "game.playNow": "Play now",
  "game.practice": "Practice",
  "game.signIn": "Sign in",
  "game.starting": "Starting {name}",
  "game.failed": "We could not fetch this game from the server.",
  "game.share.text": "My score in {name}: {points}. Can you beat it?",
  "game.share.copied": "Copied. Paste it wherever your friends are.",
  "game.share.failed": "We could not share this. Try again, or take a screenshot.",
  "game.trailer": "Trailer",
  "game.trailer.of": "Trailer of {name}",
  "game.trailer.close": "Close the trailer",
  "game.fair": "Every score is checked by replaying the run, so the board stays fair.",
  "game.guest": "Practice needs no account. Sign in, and your scores count.",
  "game.others": "More games",
  "game.level": "Level",
  "game.level.easy": "Easy",
  "game.level.medium": "Medium",
  "game.level.hard": "Hard",
  "game.level.number": "Level {number}",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    games: typeof texts;
  }
}
