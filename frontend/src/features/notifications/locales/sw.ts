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
    "Kama si wewe, mtu anajua nenosiri lako au ana simu yako. Kwanza toka kwenye vifaa vyote, jambo linaloondoa pia simu za kutoa pesa. Kisha weka nenosiri jipya kwa 'Umesahau nenosiri?'.",
  "newDevice.notMe": "Si mimi",
  "newDevice.wasMe": "Ni mimi",
} as const satisfies Translation<typeof english>;
