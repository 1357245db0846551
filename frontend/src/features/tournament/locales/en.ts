export const texts = {
  "tournaments.title": "Tournaments",
  "tournaments.empty": "The next tournament will appear here.",
  "tournaments.none": "No tournament right now",
  "tournaments.failed": "Tournaments did not load",
  "tournaments.upcoming": "Upcoming",
  "tournaments.ongoing": "Ongoing",
  "tournaments.expired": "Expired",
  "tournaments.startsIn": "Starts in {time}",
  "tournaments.endsIn": "Ends in {time}",
  "tournaments.ended": "Ended {date}",
  "tournaments.live": "LIVE",
  "tournaments.next": "Next",
  "tournaments.signIn": "Sign in to enter",
  "tournaments.enter": "Enter",
  "tournaments.entered": "Your run counts",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    tournament: typeof texts;
  }
}
