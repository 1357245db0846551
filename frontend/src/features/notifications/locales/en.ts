export const texts = {
  "notifications.title": "Notifications",
  "notifications.empty": "No Notifications Yet",
  "notifications.emptyText": "News of your payments and your tournaments lands here.",
  "notifications.more": "Show older ones",
  "notifications.new": "New",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    notifications: typeof texts;
  }
}
