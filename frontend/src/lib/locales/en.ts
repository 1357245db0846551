/** Texts of faults, and the words in amounts and times. */
export const texts = {
  "app.pageTitle": "{title} · PlayOn",

  "fault.timeout": "PlayOn took too long to reply. Check your connection and try again.",
  "fault.offline": "We could not reach PlayOn. Check your connection and try again.",
  "fault.badReply": "We got a reply that this page cannot read. Reload the page and try again.",
  "fault.unavailable": "PlayOn is not available right now. Please try again in a moment.",
  "fault.rateLimited": "Too many attempts. Please wait {minutes} min and try again.",
  "fault.unknown": "Something happened.",
  "fault.signedOut": "You are not logged in",
  "fault.sessionLost": "You were signed out on this phone. Please sign in again.",
  "fault.crash": "Sorry, something went wrong on our side. Reloading the page usually helps.",
  "fault.page": "Something broke",
  "fault.chunk.page": "Not loaded yet",
  "fault.chunk.title": "This part did not load",
  "fault.payment": "Your payment is not affected.",
  "fault.chunk.text": "Your connection dropped while it was loading. Check it, then try again.",

  "money.kes": "KES {amount}",

  "time.today": "Today",
  "time.yesterday": "Yesterday",

  "span.days": "{days} d {hours} h",
  "span.hours": "{hours} h {minutes} min",
  "span.minutes": "{minutes} min {seconds} s",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    lib: typeof texts;
  }
}
