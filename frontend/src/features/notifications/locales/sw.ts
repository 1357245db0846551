import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "notifications.title": "Arifa",
  "notifications.empty": "Bado Hakuna Arifa",
  "notifications.emptyText": "Habari za malipo na mashindano yako zitafika hapa.",
  "notifications.more": "Onyesha za zamani",
  "notifications.new": "Mpya",
} as const satisfies Translation<typeof english>;
