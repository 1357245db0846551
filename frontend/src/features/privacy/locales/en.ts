export const texts = {
  "data.title": "My data",
  "data.line": "Your data is yours. Take a copy of all of it.",
  "data.text":
    "The copy has your profile, payments, games, tournaments, messages and notifications: as a page that you can read, and as a file for other programs.",
  "data.ask": "Ask for my copy",
  "data.collecting":
    "We are putting your copy together. This takes a minute, and a notification tells you when it is ready.",
  "data.ready": "Your copy is ready. You can download it until {time}, then it is deleted.",
  "data.page": "Download as a page",
  "data.file": "Download as JSON",
  "data.care": "Keep it safe: whoever has the file can read everything in it.",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    privacy: typeof texts;
  }
}
