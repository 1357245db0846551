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

  "check.title": "Umecheza kwa zaidi ya saa moja",
  "check.text": "Ungependa kupumzika? Alama na nafasi yako zinabaki.",
  "check.today": "Leo umeweka {moneyIn}, umetumia {packages} kwa vifurushi na umeshinda {won}.",
  "check.stop": "Acha kwa sasa",
  "check.goOn": "Endelea kucheza",
  "check.limits": "Jiwekee kikomo",

  "break.title": "Pumzika",
  "break.hint": "Funga michezo na malipo kwa siku moja, au kwa miaka",
  "break.until": "Uko mapumzikoni hadi {at}.",
  "break.longer": "Ongeza muda wa mapumziko",
  "break.text":
    "Ukiwa mapumzikoni unaweza kucheza kwa mazoezi tu. Huwezi kucheza kwa alama, kuweka pesa, kununua vifurushi wala kuandika kwenye vyumba vya gumzo. Unaweza kuona pochi yako na kutoa pesa wakati wowote.",
  "break.length": "Muda",
  "break.next": "Endelea",
  "break.DAY": "Saa 24",
  "break.WEEK": "Wiki 1",
  "break.SIX_WEEKS": "Wiki 6",
  "break.HALF_YEAR": "Miezi 6",
  "break.YEAR": "Mwaka 1",
  "break.FIVE_YEARS": "Miaka 5",
  "break.sure": "Pumzika kwa: {length}?",
  "break.sure.text":
    "Mapumziko yanaanza sasa na hayawezi kufupishwa, hata na wahudumu wetu. Utatolewa kwenye vifaa vyako vyote.",
  "break.start": "Anza mapumziko",
} as const satisfies Translation<typeof english>;
