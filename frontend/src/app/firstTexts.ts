import { loadTexts, provideCatalogue } from "@/lib/i18n/i18n";

provideCatalogue("first", {
  en: () => import("@/app/first/en"),
  sw: () => import("@/app/first/sw"),
});

/**
 * Resolves when the texts of the first view have loaded. The page loads this module beside the app's code, so that
 * neither waits for the other. A second attempt covers a single lost request.
 */
export const firstTexts = loadTexts("first").catch(() => loadTexts("first"));
