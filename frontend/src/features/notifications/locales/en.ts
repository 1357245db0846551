export const texts = {
  "notifications.title": "Notifications",
  "notifications.empty": "No Notifications Yet",
  "notifications.emptyText": "News of your payments and your tournaments lands here.",
  "notifications.more": "Show older ones",
  "notifications.new": "New",

  "newDevice.title": "Was it you?",
  "newDevice.line": "Was it you who signed in on another phone or browser, or added a phone for withdrawals?",
  "newDevice.text":
    "If it was not, somebody knows your password or has your phone. Sign out everywhere first, which also removes the phones for withdrawals. Then set a new password with 'Forgot password?'.",
  "newDevice.notMe": "This was not me",
  "newDevice.wasMe": "It was me",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    notifications: typeof texts;
  }
}
