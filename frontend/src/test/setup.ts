import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { addTexts } from "@/lib/i18n/i18n";
import { PATIENCE_MS } from "@/test/eventually";

configure({ asyncUtilTimeout: PATIENCE_MS });

// The tab bar, the boards and the rooms open a live stream, for which tests have no server.
vi.mock("@/lib/live/rooms", () => import("@/test/live"));
vi.mock("@/lib/live/notifications", () => import("@/test/live"));
vi.mock("@/lib/live/standings", () => import("@/test/live"));

type Catalogue = { readonly texts: Parameters<typeof addTexts>[1] };

// Tests render single screens, without the table that loads their texts.
const catalogues = import.meta.glob<Catalogue>(
  [
    "/src/app/locales/{en,first.en}.ts",
    "/src/{lib,ui}/locales/en.ts",
    "/src/{entities,features}/*/locales/en.ts",
  ],
  { eager: true },
);
for (const { texts } of Object.values(catalogues)) addTexts("en", texts);

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", "/");
});
