/** Texts of the components in `ui`, and words that several features share. */
export const texts = {
  "ui.back": "Back",
  "ui.close": "Close",
  "ui.retry": "Retry",
  "ui.loading": "Loading",
  "ui.failed": "We could not load this",
  "ui.empty": "Oops, there's nothing here.",
  "ui.home": "Home",
  "ui.reference": "Reference:",
  "ui.copy": "Copy",
  "ui.copied": "Copied",

  "update.inProgress":
    "Another update operation is currently underway. Kindly wait a few seconds before pressing the button again.",

  "ui.refresh": "Refresh",
  "ui.stale": "As of {time}. {reason}",
  "ui.skip": "Skip to the content",

  "picker.currency.title": "Currency",
  "picker.country.title": "Country",

  "profile.phone.required": "Please enter your phone number.",
  "profile.phone.example": "+254xxxxxxxx",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    ui: typeof texts;
  }
}
