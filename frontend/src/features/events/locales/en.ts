export const texts = {
  "events.title": "Events",
  "events.slide": "Event {number} of {count}",
  "events.empty": "News of PlayOn will appear here.",
  "events.pause": "Stop the events from moving",
  "events.resume": "Let the events move",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    events: typeof texts;
  }
}
