import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "tv.title": "PlayOn TV",
  "tv.data": "Video hutumia data ukiigusa tu.",
  "tv.watch": "Tazama sasa",
  "tv.play": "Cheza {title}",
  "tv.others": "Video zaidi",
  "tv.failed": "Samahani, inaonekana hatuwezi kuifikia PlayOn kwa sasa. Tafadhali jaribu tena baadaye.",
} as const satisfies Translation<typeof english>;
