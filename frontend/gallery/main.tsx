import "@/ui/tokens.css";
import "@/ui/global.css";
import { createRoot } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { addTexts } from "@/lib/i18n/i18n";
import { Gallery } from "./Gallery";

const catalogues = import.meta.glob<{ readonly texts: Parameters<typeof addTexts>[1] }>(
  "../src/{ui,lib}/locales/en.ts",
  { eager: true },
);
for (const { texts } of Object.values(catalogues)) addTexts("en", texts);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// Links need a router around them.
const router = createMemoryRouter([
  { path: "/never", loader: () => new Promise<null>(() => {}), element: null },
  { path: "*", Component: Gallery },
]);
createRoot(root).render(<RouterProvider router={router} />);
