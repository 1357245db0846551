/**
 * The English strings of the first view, and of errors that can happen on any page. `t` fills in {names}. Texts from the
 * specification keep its wording and spelling.
 */
export const first = {
  "app.pageTitle": "{title} · PlayOn",

  "ui.back": "Back",
  "ui.close": "Close",
  "ui.retry": "Retry",
  "ui.loading": "Loading",
  "ui.failed": "We could not load this",
  "ui.empty": "Oops, there's nothing here.",
  "ui.home": "Home",

  "fault.timeout": "PlayOn took too long to reply. Check your connection and try again.",
  "fault.offline": "We could not reach PlayOn. Check your connection and try again.",
  "fault.badReply": "We got a reply that this page cannot read. Reload the page and try again.",
  "fault.unavailable": "PlayOn is not available right now. Please try again in a moment.",
  "fault.rateLimited": "Too many attempts. Please wait {minutes} min and try again.",
  "fault.unknown": "Something happened.",
  "fault.signedOut": "You are not logged in",
  "fault.sessionLost": "You were signed out on this phone. Please sign in again.",
  "fault.crash": "Sorry, something went wrong on our side. Reloading the page usually helps.",
  "fault.reload": "Reload",

  "welcome.title": "Welcome to PlayOn",
  "welcome.line": "Skill games made for Kenya. Challenge your friends and win prizes.",
  "welcome.start": "Get Started",

  "offline.title": "Connection Lost",
  "offline.text": "Please check your connection and try again after a few seconds.",
  "offline.back": "Back",
  "offline.now": "You are now offline",
  "offline.backOnline": "You are back online",

  "notFound.title": "Page Not Found",
  "notFound.text": "Oops! It looks like you took the wrong turn.",
  "notFound.home": "Home",
} as const;
