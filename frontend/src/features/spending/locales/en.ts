export const texts = {
  "spending.screen": "Spending and limits",
  "spending.text": "What you pay in, spend on packages and win. Tap a row to set yourself a limit.",
  "spending.DAY": "Today",
  "spending.WEEK": "This week",
  "spending.MONTH": "This month",
  "spending.moneyIn": "Money in",
  "spending.packages": "Packages",
  "spending.won": "Won",
  "spending.noLimit": "No limit",
  "spending.limit": "Limit {limit}",
  "spending.becomes": "{limit} from {at}",
  "spending.ends": "No limit from {at}",
  "spending.title.moneyIn.DAY": "Limit a day on money in",
  "spending.title.moneyIn.WEEK": "Limit a week on money in",
  "spending.title.moneyIn.MONTH": "Limit a month on money in",
  "spending.title.packages.DAY": "Limit a day on packages",
  "spending.title.packages.WEEK": "Limit a week on packages",
  "spending.title.packages.MONTH": "Limit a month on packages",
  "spending.rule": "A lower limit holds at once. A higher one, or none, begins after 24 hours.",
  "spending.amount": "Limit in KES",
  "spending.set": "Set limit",
  "spending.remove": "Remove the limit",
  "spending.range": "From {least} to {most}.",
  "spending.saved": "Your limit is set.",
  "spending.waits": "The change begins in 24 hours.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    spending: typeof texts;
  }
}
