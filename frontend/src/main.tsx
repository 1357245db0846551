import "@/ui/tokens.css";
import "@/ui/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { followConnectivity } from "@/app/connectivity";
import { afterFirstScreen } from "@/app/firstScreen";
import { router } from "@/app/router";
import { rememberCampaign } from "@/lib/campaign";
import { followOtherTabs } from "@/lib/session/tabs";
import { provideToaster, tellWhatReloadLeft } from "@/lib/toast";
import { registerServiceWorker } from "@/pwa/register";

provideToaster(async () => (await import("@/app/toaster")).mountToaster());
rememberCampaign(window.location.search);
followConnectivity(router);
followOtherTabs();
tellWhatReloadLeft();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}

afterFirstScreen(router, registerServiceWorker);
