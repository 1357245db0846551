import { t } from "@/lib/i18n/i18n";

/** The methods whose names are words, which the server has in English only. The others are brands. */
const words = {
  CARD: "pay.method.CARD",
  WALLET: "pay.method.WALLET",
  SAFARICOM_CREDIT: "pay.method.SAFARICOM_CREDIT",
} as const;

const isWord = (code: string): code is keyof typeof words => code in words;

/** A payment method's name in the player's language. */
export function methodName({ code, name }: { readonly code: string; readonly name: string }): string {
  return isWord(code) ? t(words[code]) : name;
}
