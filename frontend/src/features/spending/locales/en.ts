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
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    spending: typeof texts;
  }
}
