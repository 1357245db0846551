import "@/lib/i18n/app";
import "@/ui/tokens.css";
import "@/ui/global.css";
import { createRoot } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { Gallery } from "./Gallery";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// Links need a router around them.
const router = createMemoryRouter([{ path: "*", Component: Gallery }]);
createRoot(root).render(<RouterProvider router={router} />);
