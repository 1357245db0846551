export const texts = {
  "spending.screen": "Spending and limits",
  "spending.text":
    "What you pay in, spend on packages and win. Packages have a limit of their own, however you pay. Tap a row to set one.",
  "spending.DAY": "Today",
  "spending.WEEK": "This week",
  "spending.MONTH": "This month",
  "spending.moneyIn": "Money in",
  "spending.packages": "Packages",
  "spending.won": "Won",
  "spending.noLimit": "No limit",
  "spending.limit": "Limit {limit}",
  "spending.becomes": "{limit} from {at}.",
  "spending.ends": "No limit from {at}.",
  "spending.title.moneyIn.DAY": "Daily limit on money in",
  "spending.title.moneyIn.WEEK": "Weekly limit on money in",
  "spending.title.moneyIn.MONTH": "Monthly limit on money in",
  "spending.title.packages.DAY": "Daily limit on packages",
  "spending.title.packages.WEEK": "Weekly limit on packages",
  "spending.title.packages.MONTH": "Monthly limit on packages",
  "spending.rule": "A lower limit holds at once. A higher one, or none, begins after 24 hours.",
  "spending.amount": "Limit in KES",
  "spending.set": "Set limit",
  "spending.remove": "Remove the limit",
  "spending.range": "From {least} to {most}.",
  "spending.saved": "Your limit is set.",

  "check.title": "You have played for more than an hour",
  "check.text": "Time for a break? Your points and your place stay.",
  "check.today": "Today you paid in {moneyIn}, spent {packages} on packages and won {won}.",
  "check.stop": "Stop for now",
  "check.goOn": "Go on playing",
  "check.limits": "Set yourself a limit",

  "break.title": "Take a break",
  "break.hint": "Close play and payments for a day, or for years",
  "break.until": "You are on a break until {at}.",
  "break.longer": "Make your break longer",
  "break.text":
    "On a break you can play for practice alone. You cannot play for the board, pay in, buy packages or write in rooms. You can always see your wallet and withdraw.",
  "break.length": "How long",
  "break.next": "Continue",
  "break.DAY": "24 hours",
  "break.WEEK": "1 week",
  "break.SIX_WEEKS": "6 weeks",
  "break.HALF_YEAR": "6 months",
  "break.YEAR": "1 year",
  "break.FIVE_YEARS": "5 years",
  "break.sure": "A break of {length}?",
  "break.sure.text":
    "It begins now and cannot be made shorter, not even by our support. You will be signed out on all devices.",
  "break.start": "Start my break",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    spending: typeof texts;
  }
}
