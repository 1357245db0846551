import { addTexts } from "@/lib/i18n/i18n";

interface Catalogue {
  readonly texts: Readonly<Record<string, string>>;
}

const catalogues = import.meta.glob<Catalogue>(
  ["/src/app/locales/en.ts", "/src/entities/*/locales/en.ts", "/src/features/*/locales/en.ts"],
  {
    eager: true,
  },
);

for (const { texts } of Object.values(catalogues)) addTexts(texts);
