import { deviceStorage } from "@/lib/storage";

export const LANGUAGES = ["en", "sw"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The key is kept per device, so the language survives a sign-out. */
export const LANGUAGE_KEY = "language";

const isLanguage = (value: string | null | undefined): value is Language =>
  LANGUAGES.some((language) => language === value);

/** The player's choice on this device; before it, the first of the phone's languages that PlayOn has. */
function initialLanguage(): Language {
  const chosen = deviceStorage.getItem(LANGUAGE_KEY);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";
}

let current = initialLanguage();
document.documentElement.lang = current;

export function currentLanguage(): Language {
  return current;
}

/** The language with the region, for Intl and `Accept-Language`. English formats are British (specification, section 9). */
export function currentLocale(): string {
  return current === "en" ? "en-GB" : "sw-KE";
}

/** Changes the language without loading its texts: `changeLanguage` in `i18n.ts` does both. */
export function storeLanguage(language: Language): void {
  current = language;
  deviceStorage.setItem(LANGUAGE_KEY, language);
  document.documentElement.lang = language;
}
