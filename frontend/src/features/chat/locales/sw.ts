import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "chat.title": "Vyumba vya gumzo",
  "chat.intro": "Ingia kwenye chumba upige gumzo na wachezaji wengine kuhusu michezo.",
  "chat.empty": "Vyumba vya gumzo vitaonekana hapa hivi karibuni.",
  "chat.members": { one: "Mshiriki {count}", other: "Washiriki {count}" },
  "chat.online": "Mtandaoni: {count}",
} as const satisfies Translation<typeof english>;
