import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "spending.screen": "Matumizi na vikomo",
  "spending.text":
    "Pesa unazoweka, unazotumia kwa vifurushi na unazoshinda. Vifurushi vina kikomo chake, kwa njia yoyote ya malipo. Gusa mstari ili ujiwekee kikomo.",
  "spending.DAY": "Leo",
  "spending.WEEK": "Wiki hii",
  "spending.MONTH": "Mwezi huu",
  "spending.moneyIn": "Pesa ulizoweka",
  "spending.packages": "Vifurushi",
  "spending.won": "Ulizoshinda",
  "spending.noLimit": "Hakuna kikomo",
  "spending.limit": "Kikomo {limit}",
  "spending.becomes": "{limit} kuanzia {at}.",
  "spending.ends": "Hakuna kikomo kuanzia {at}.",
  "spending.title.moneyIn.DAY": "Kikomo cha siku cha kuweka pesa",
  "spending.title.moneyIn.WEEK": "Kikomo cha wiki cha kuweka pesa",
  "spending.title.moneyIn.MONTH": "Kikomo cha mwezi cha kuweka pesa",
  "spending.title.packages.DAY": "Kikomo cha siku cha vifurushi",
  "spending.title.packages.WEEK": "Kikomo cha wiki cha vifurushi",
  "spending.title.packages.MONTH": "Kikomo cha mwezi cha vifurushi",
  "spending.rule":
    "Ukipunguza kikomo, kinaanza mara moja. Ukikiongeza au kukiondoa, badiliko linaanza baada ya saa 24.",
  "spending.amount": "Kikomo kwa KES",
  "spending.set": "Weka kikomo",
  "spending.remove": "Ondoa kikomo",
  "spending.range": "Kuanzia {least} hadi {most}.",
  "spending.saved": "Kikomo chako kimewekwa.",
} as const satisfies Translation<typeof english>;
