export const texts = {
  "chat.title": "Chat rooms",
  "chat.intro": "Join a room and talk about games with other players.",
  "chat.empty": "Chat rooms will appear here soon.",
  "chat.members": { one: "{count} member", other: "{count} members" },
  "chat.online": "{count} online",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    chat: typeof texts;
  }
}
