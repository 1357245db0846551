import { currentLocale } from "@/lib/i18n/language";

/** A name from the browser's Intl data, so that showing one does not load the whole list. */
export function nameOf(type: "region" | "currency", code: string): string | undefined {
  try {
    return new Intl.DisplayNames(currentLocale(), { type, fallback: "none" }).of(code);
  } catch {
    return undefined;
  }
}

/** "Kenya" for KE. */
export function countryName(alpha2Code: string): string {
  return nameOf("region", alpha2Code) ?? alpha2Code;
}

/** "Kenyan Shilling (KES)" for KES. */
export function currencyName(code: string): string {
  const name = nameOf("currency", code);
  return name ? `${name} (${code})` : code;
}
