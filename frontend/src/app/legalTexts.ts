import type { LegalText, LegalTranslation } from "@/app/locales/legal.en";
import { provideCatalogue } from "@/lib/i18n/i18n";
import type { Language } from "@/lib/i18n/language";

interface LegalTexts {
  readonly privacy: LegalText;
  readonly terms: LegalText;
  /** The texts that a translation adds; the binding language has none. */
  readonly translation?: LegalTranslation;
}

const files = {
  en: () => import("@/app/locales/legal.en"),
  sw: () => import("@/app/locales/legal.sw"),
} satisfies Record<Language, () => Promise<LegalTexts>>;

const loaded: Partial<Record<Language, LegalTexts>> = {};

/** Loads the legal texts of a language, which are too long for the catalogues that `t` reads. */
export async function loadLegalTexts(language: Language): Promise<LegalTexts> {
  const texts = await files[language]();
  loaded[language] = texts;
  return texts;
}

/** The legal texts of a language. Their screens load those of the player's language beside their code. */
export function legalTexts(language: Language): LegalTexts {
  const texts = loaded[language];
  if (!texts) throw new Error(`the legal texts are not loaded: ${language}`);
  return texts;
}

async function load(language: Language) {
  await loadLegalTexts(language);
  return { texts: {} };
}

// The texts are a catalogue too, so that a change of the language loads them again and an offline start has them.
provideCatalogue("legal", { en: () => load("en"), sw: () => load("sw") });
