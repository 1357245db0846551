/**
 * The strings of the first view, and of what may happen to any view, in English. {names} are filled in by `t`.
 * Texts that the specification gives are kept to the letter, its spelling included.
 */
export const first = {
  "app.pageTitle": "{title} · PlayOn",

  "ui.back": "Back",
  "ui.close": "Close",
  "ui.retry": "Retry",
  "ui.loading": "Loading",
  "ui.failed": "That did not load",
  "ui.empty": "Oops, there's nothing here.",
  "ui.home": "Home",

  "fault.timeout": "The server took too long to answer. Check your connection and try again.",
  "fault.offline": "We could not reach PlayOn. Check your connection and try again.",
  "fault.badReply":
    "PlayOn gave an answer that this version does not understand. Reload the page and try again.",
  "fault.unavailable": "PlayOn cannot be reached right now. Please try again in a moment.",
  "fault.rateLimited": "Too many tries. Please wait {minutes} min and try again.",
  "fault.unknown": "Something happened.",
  "fault.signedOut": "You are not logged in",
  "fault.sessionLost": "You were signed out on this phone. Please sign in again.",
  "fault.crash": "This page ran into an error of ours. Reloading it usually helps.",
  "fault.reload": "Reload",

  "welcome.title": "Welcome to PlayOn",
  "welcome.line": "Skill games made for Kenya. Win your friends over, and the prize too.",
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
