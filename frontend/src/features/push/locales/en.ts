export const texts = {
  "push.screen": "Notifications",
  "push.title": "On this phone",
  "push.reason": "Get a nudge when money lands or your tournament's results are in, even with PlayOn closed.",
  "push.switchOn": "Turn on",
  "push.onHere": "This phone gets your notifications.",
  "push.blocked": "Your browser blocks them. Allow notifications for PlayOn in its settings, then come back.",
  "push.unsupported":
    "This browser cannot show them. Install PlayOn on your home screen, or try another browser.",
  "push.failed": "We could not switch that. Check your connection and try again.",
  "push.kinds": "What to send",
  "push.topic.money": "Top-ups and withdrawals",
  "push.topic.boosts": "Boosts from friends",
  "push.topic.tournaments": "Tournament results and prizes",
  "push.topic.subscriptions": "Packages",
  "push.topic.mentions": "Mentions in chat rooms",
  "push.quiet": "Quiet hours",
  "push.quiet.hint": "Nothing buzzes then, Nairobi time.",
  "push.quiet.from": "From",
  "push.quiet.until": "Until",
  "push.inbox": "Everything still waits for you under Notifications.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    push: typeof texts;
  }
}
