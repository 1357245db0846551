import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "home.featured": "Michezo Moto",
  "home.games.empty": "Bado tunaongeza michezo. Hebu angalia tena baadaye?",
} as const satisfies Translation<typeof english>;
