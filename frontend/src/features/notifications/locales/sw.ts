import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "notifications.title": "Arifa",
  "notifications.empty": "Bado Hakuna Arifa",
  "notifications.emptyText": "Habari za malipo na mashindano yako zitafika hapa.",
  "notifications.more": "Onyesha za zamani",
  "notifications.new": "Mpya",

  "newDevice.title": "Je, ni wewe?",
  "newDevice.line":
    "Je, ni wewe uliyeingia kwenye simu au kivinjari kingine, au uliyeongeza simu ya kutoa pesa?",
  "newDevice.text":
    "Kama si wewe, mtu anajua nenosiri lako au ana namba yako ya simu. Kwanza toka kwenye vifaa vyote, kisha weka nenosiri jipya kwa 'Umesahau nenosiri?'. Kifaa au simu mpya haipati pesa papo hapo, kwa hiyo una muda.",
  "newDevice.notMe": "Si mimi",
  "newDevice.wasMe": "Ni mimi",
} as const satisfies Translation<typeof english>;
